import { describe } from '../failures/classify.ts'
import type { ModelReply } from '../turn/model-reply.ts'
import { askAside } from './ask-aside.ts'
import { STOPPED } from './leave-early.ts'
import type { Ending, Turn } from './turn.ts'
import { append, listCalls } from './turn.ts'

/**
 * The model said nothing. Asked to complete a reply that had broken off, it means that the reply was whole. After
 * work was done it is asked once for a closing word, and if it still says nothing the work speaks for itself;
 * without any work it is a failure. A reply is never blank.
 */
export async function answerEmptyReply(turn: Turn, reply: ModelReply): Promise<Ending> {
  const { unfinished } = turn.state
  if (unfinished !== '') return { type: 'done', text: unfinished }
  const digest = listCalls(turn.state)
  if (digest.length === 0) {
    const failure = describe('model_unreachable', {
      rule: 'empty-reply',
      fact: `iteration ${turn.state.iterations}, finish ${reply.finish}`,
      words: {
        cause: 'The AI model answered with nothing.',
        next: 'Try again; if it keeps happening, choose another model.',
      },
    })
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
