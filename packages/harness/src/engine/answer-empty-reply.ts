import { describe } from '../failures/classify.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import { askAside } from './ask-aside.ts'
import { STOPPED } from './leave-early.ts'
import type { Ending, Turn } from './turn.ts'
import { append, listCalls } from './turn.ts'

/**
 * Handles an empty reply. Undefined: the model is asked once more. After a reply that broke off, it means that the text
 * was complete. After calls, the model is asked once for a closing answer; if that is empty too, the answer lists the
 * calls. Otherwise the turn fails. The text of the outcome is never blank.
 */
export async function answerEmptyReply(
  turn: Turn,
  reply: ModelReply,
  iteration: number,
): Promise<Ending | undefined> {
  const { unfinished } = turn.state
  if (unfinished !== '') return { type: 'done', text: unfinished }
  const digest = listCalls(turn.state)
  if (digest.length === 0) {
    const failure = describe('model_unreachable', {
      rule: 'empty-reply',
      fact: `iteration ${turn.state.iterations}, finish ${reply.finish}`,
      detail: { kind: 'empty-reply' },
      words: {
        cause: 'The AI model answered with nothing.',
        next: 'Try again; if it keeps happening, choose another model.',
      },
    })
    if (mayAskAgain(turn, reply)) {
      turn.state.hasAskedAgain = true
      await turn.run.report({
        type: 'model-retry',
        iteration,
        model: turn.model.id,
        attempt: 1,
        delayMs: 0,
        failure,
      })
      return undefined
    }
    return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
  }
  const asked = await askAside(
    turn,
    `An assistant has finished its calls but gave no closing words. From this list of its calls, write the short ` +
      `closing answer for the user:\n${digest.join('\n')}`,
    { shownAsIteration: turn.state.iterations },
  )
  if (turn.run.signal.aborted) return STOPPED
  const text =
    asked ?? `Here is what was done:\n${digest.map((line) => `- ${line.split('\n')[0]}`).join('\n')}`
  await append(turn, { role: 'assistant', parts: [{ type: 'text', text }] })
  return { type: 'done', text }
}

/** Once in a turn, for a reply that nothing has cut, and when another iteration is left. */
const mayAskAgain = ({ state, limits }: Turn, { finish }: ModelReply): boolean =>
  !state.hasAskedAgain && finish === 'stop' && state.iterations < limits.maxIterations
