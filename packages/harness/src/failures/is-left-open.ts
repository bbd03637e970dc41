import type { Failure } from '@capstan/protocol'
import type { OutcomeFacts } from '../turn/tool/tool-outcome.ts'
import type { Effect } from '../turn/tool/tool.ts'

interface RunOutcome extends OutcomeFacts {
  readonly text?: string
  readonly effect?: Effect
}

/** Codes of a request that had left when it broke off, or whose answer cannot be read. */
const BROKE_OFF_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'broken_answer',
  'internal_error',
])

/** Words of a connection that was there before it broke, or of a server that failed while it worked. */
const BROKE_OFF =
  /\b(?:reset|closed|terminated|dropped|disconnected|broken pipe|premature\w*|hang ?up|hung up|gone away|lost connection|empty reply|unexpected eof|bad gateway|gateway|(?:internal|server) error|-32603)\b/i
const MAX_READ_CHARS = 2_000

/**
 * Whether a call that changes something failed in a way that leaves open whether it happened: a stop, a deadline, a
 * server or a connection that broke while it worked. A request that never left leaves nothing open. Pure; never throws.
 */
export function isLeftOpen(failure: Failure, outcome: RunOutcome): boolean {
  if (outcome.effect === undefined || outcome.effect === 'read' || outcome.notStarted) return false
  if (outcome.timedOut || outcome.cancelled) return !outcome.deniedBy
  // A proxy says so when the caller, or something between, has hung up.
  if (failure.class === 'cancelled') return outcome.httpStatus !== undefined
  if (failure.class !== 'timeout' && failure.class !== 'service_unavailable') return false
  if (outcome.httpStatus !== undefined) return true
  if (outcome.errorCode !== undefined) return BROKE_OFF_CODES.has(outcome.errorCode)
  return failure.class === 'timeout' || saysItBrokeOff(failure, outcome)
}

const saysItBrokeOff = ({ evidence }: Failure, { text = '' }: RunOutcome): boolean =>
  evidence?.rule.startsWith('status-5') === true || BROKE_OFF.test(text.slice(0, MAX_READ_CHARS))
