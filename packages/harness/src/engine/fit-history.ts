import type { Split } from '../context/compact.ts'
import {
  splitHistory,
  SUMMARY_INSTRUCTIONS,
  toDigest,
  toSummaryNotice,
  toTranscript,
} from '../context/compact.ts'
import { notice } from '../context/notices.ts'
import { estimateTextTokens, estimateTokens } from '../context/estimate-tokens.ts'
import { describe } from '../failures/classify.ts'
import { MODEL_WORDING } from '../failures/wording.ts'
import { askAside } from './ask-aside.ts'
import type { Ending, Turn } from './turn.ts'
import { notifyObservers } from './turn.ts'

/** Whether `fitHistory` has work to do. Never with an unknown window. */
export function needsFitting({ conversation, window, model }: Turn): boolean {
  const { contextWindow, windowIsLoaded } = model.abilities
  return windowIsLoaded === true || window.judge(conversation, contextWindow) !== 'fits'
}

/**
 * Makes the history fit the model's window. Near the limit, everything but the newest messages becomes one summary, in
 * one step, so that the provider's cache is lost once and not at every turn. Returns an ending when that is not enough.
 */
export async function fitHistory(turn: Turn, iteration: number): Promise<Ending | undefined> {
  const { conversation, window, model } = turn
  const { contextWindow, windowIsLoaded } = model.abilities
  if (contextWindow === undefined) return undefined
  if (windowIsLoaded && isHopeless(turn, contextWindow)) return tooLong('loaded-window', RELOAD)
  const verdict = window.judge(conversation, contextWindow)
  if (verdict === 'fits') return undefined
  const tokensBefore = window.tokens(conversation)
  const split = splitHistory(conversation.history.messages, contextWindow)
  if (split) {
    const summary = verdict === 'compact' ? await summarise(turn, split, contextWindow) : undefined
    if (turn.run.signal.aborted) return undefined // the next model call reports it
    window.noteSummary(summary === undefined ? 'failed' : 'made')
    // A failed summary may work next time, so a digest without a model is used only when the window is almost full.
    if (summary !== undefined || window.isAtEdge(conversation, contextWindow)) {
      await compact(turn, split, summary, { iteration, tokensBefore })
    }
  }
  return window.judge(conversation, contextWindow) === 'exhausted' ? tooLong('window-exhausted') : undefined
}

async function summarise(turn: Turn, split: Split, contextWindow: number): Promise<string | undefined> {
  return askAside(turn, toTranscript(split.head, contextWindow), { system: SUMMARY_INSTRUCTIONS })
}

async function compact(
  turn: Turn,
  { head, tail }: Split,
  summary: string | undefined,
  { iteration, tokensBefore }: { iteration: number; tokensBefore: number },
): Promise<void> {
  const { history } = turn.conversation
  const how = summary === undefined ? 'digest' : 'summary'
  // The announced tools were in the part that is gone.
  const { baseline } = turn.tools.current(turn.conversation.surface)
  const known = baseline === undefined ? [] : [notice(baseline)]
  history.replace(
    [toSummaryNotice(summary ?? toDigest(head), head), ...known, ...tail],
    `the history was compacted (${how})`,
  )
  turn.window.noteCompaction()
  await notifyObservers(turn, (observer) => observer.historyReplaced?.(turn.run, history.messages))
  await turn.run.report({
    type: 'history-compact',
    iteration,
    tokensBefore,
    tokensAfter: turn.window.tokens(turn.conversation),
    how,
  })
}

/** Whether the prompt and the newest request, which are never compacted, already fill a local model. */
function isHopeless({ conversation }: Turn, contextWindow: number): boolean {
  const request = conversation.history.messages.findLast((message) => message.role === 'user')
  const fixed = estimateTextTokens(conversation.system) + (request ? estimateTokens(request) : 0)
  return fixed >= contextWindow
}

const RELOAD = {
  cause:
    'The instructions and your message alone are too long for the context this local model was loaded with.',
  next: 'Load the model with a larger context, or choose another model.',
}

function tooLong(rule: string, words = MODEL_WORDING.too_large): Ending {
  const failure = describe('too_large', { rule, words })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}
