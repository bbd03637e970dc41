import { streamReply } from './stream-reply.ts'
import type { Turn } from './turn.ts'
import { isBlank } from '../text/is-blank.ts'

/**
 * Asks the model one question outside the conversation, with tools off: for a summary or a closing answer. Undefined
 * when the budget is used up, or the model fails or returns nothing. Its usage counts; the conversation does not change.
 */
export async function askAside(
  turn: Turn,
  question: string,
  { system = 'You report on the work of an assistant, briefly and truthfully.', shownAsIteration = 0 } = {},
): Promise<string | undefined> {
  if (turn.run.budget.exhausted()) return undefined
  const { maxOutputTokens, headers, providerOptions } = turn.modelOptions
  const answer = await streamReply(
    turn,
    {
      system,
      messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }],
      tools: [],
      media: turn.conversation.media,
      maxOutputTokens,
      ...(headers === undefined ? undefined : { headers }),
      ...(providerOptions === undefined ? undefined : { providerOptions }),
    },
    {
      iteration: shownAsIteration || turn.state.iterations,
      openDisplay: undefined,
      shown: shownAsIteration > 0,
    },
  )
  if (!('reply' in answer) || answer.reply.cut) return undefined
  const text = answer.reply.text.trim()
  return isBlank(text) ? undefined : text
}
