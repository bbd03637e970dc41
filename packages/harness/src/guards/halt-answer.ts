import type { Failure, FailureCategory } from '@capstan/protocol'
import { cutText } from '../text/cut-text.ts'
import type { JsonValue } from '../turn/json.ts'
import type { FinishedCall } from '../turn/tool/finished-call.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { Verdict } from './guard.ts'
import { quoteResult } from './quote-result.ts'

const LONGEST_REASON = 600

/** What the user can do after a halt, for failures without a next step of their own. */
const ADVICE: Readonly<Record<FailureCategory, string>> = {
  transient: 'You can ask me to try again later.',
  needs_user: 'Once that is settled, ask me to go on.',
  declined: 'If you want it after all, allow it and ask me again; otherwise tell me what to do instead.',
  fixable: 'You can check the details and tell me what to change, or ask me to try another way.',
  unknown: 'You can ask me to try again or to go about it another way.',
  stopped: 'You can ask me to go on.',
}

/** A halt after failures: what was tried and how often, the last reason, what the user can do. */
export function haltAfterFailure(
  tried: string,
  count: number,
  { call, result }: FinishedCall,
  reason = quoteResult(result),
): Verdict {
  const advice = result.failure ? adviceFor(result.failure, call.arguments) : ADVICE.fixable
  return {
    action: 'halt',
    text: `I stopped because ${tried}. The last reason: ${toSentence(reason)} ${advice}`,
    facts: { tool: result.tool, count },
  }
}

/**
 * A halt after successful calls without progress. `isSame`: every answer was the same, word for word. `lastFailure` is the
 * reason of a call that failed in between.
 */
export function haltWithoutProgress(
  tried: string,
  facts: { readonly tool: string; readonly count: number },
  last: ToolResult | undefined,
  { isSame, lastFailure }: { readonly isSame: boolean; readonly lastFailure?: string | undefined },
): Verdict {
  const nothingNew = isSame ? ', and nothing new came of it' : ''
  const answer = last === undefined ? '' : ` The last answer was: ${toSentence(quoteResult(last))}`
  const failed = lastFailure === undefined ? '' : ` In between this failed: ${toSentence(lastFailure)}`
  return {
    action: 'halt',
    text:
      `I stopped because ${tried}${nothingNew}.${answer}${failed} ` +
      'You can tell me what to do differently, or ask me to go on from here.',
    facts,
  }
}

function adviceFor(
  { class: reason, category, next }: Failure,
  args: Readonly<Record<string, JsonValue | undefined>>,
): string {
  if (reason === 'not_connected') {
    const app = args['toolkit'] ?? args['app']
    return `Please connect ${typeof app === 'string' && app !== '' ? `"${app}"` : 'the app'}, then ask me to go on.`
  }
  return category === 'needs_user' && next !== '' ? `${next} ${ADVICE.needs_user}` : ADVICE[category]
}

/** The part of a text that an answer quotes. */
function clipReason(text: string): string {
  const plain = text.trim()
  return plain.length > LONGEST_REASON ? `${cutText(plain, LONGEST_REASON)}…` : plain
}

/** Ends the text with a punctuation mark, so that the next sentence can follow. */
function toSentence(text: string): string {
  const plain = clipReason(text)
  return /[.!?…]$/.test(plain) ? plain : `${plain}.`
}
