import type { ExactArguments, HiddenValue } from '@capstan/protocol'
import type { LedgerRecord } from '../ports/ledger.ts'
import type { StoredApproval } from '../ports/store.ts'
import { digestRequest } from '../turn/digest.ts'
import { isHolder } from '../turn/json.ts'
import { callsOf } from '../turn/message/message.ts'

/**
 * Exactly what the call of an approval would run, read from the message of the model in the ledger: that is where a
 * resumed turn reads it, too. Undefined unless the digest of the approval proves that these are the arguments. Pure.
 */
export function revealArguments(
  approval: StoredApproval,
  records: readonly LedgerRecord[],
): ExactArguments | undefined {
  const { runId, callId, tool, digest, binding, hidden = [] } = approval
  for (const record of records) {
    if (record.type !== 'message' || record.runId !== runId || record.message.role !== 'assistant') continue
    const call = callsOf(record.message).find(({ id }) => id === callId)
    if (!call) continue
    // A late tool is called through another one, which has the arguments inside.
    for (const made of [call.arguments, call.arguments['arguments']]) {
      const exact = [made, fillHidden(approval.arguments, made, hidden)].find(
        (candidate) => digestRequest(tool, candidate, binding) === digest,
      )
      if (exact !== undefined) return { arguments: exact }
    }
  }
  return undefined
}

/** What was shown, with the hidden parts as the model wrote them: the rest may have been repaired or completed. */
function fillHidden(shown: unknown, made: unknown, hidden: readonly HiddenValue[]): unknown {
  const filled: unknown = structuredClone(shown)
  for (const { path } of hidden) {
    const steps = path.split('.')
    const last = steps.pop()!
    const target = steps.reduce(own, filled)
    if (isHolder(target) && Object.hasOwn(target, last)) target[last] = own(steps.reduce(own, made), last)
  }
  return filled
}

const own = (value: unknown, step: string): unknown =>
  isHolder(value) && Object.hasOwn(value, step) ? value[step] : undefined
