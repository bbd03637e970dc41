import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiProblem, MessageReceipt, TurnOutcome } from '@capstan/protocol'
import type { Journal } from '../journal.ts'
import { createRandom } from '../random.ts'
import type { Interjection, ThreadScript, TurnScript } from '../scenario.ts'
import type { Door } from './door.ts'
import type { ThreadView } from './thread-view.ts'

/** What the person of one thread works with. */
export interface Play {
  readonly script: ThreadScript
  readonly door: Door
  readonly journal: Journal
  readonly view: ThreadView
}

/** Interjections are planned for a process without a network. */
const SLOWER = 15

/** Sends the messages of a thread one after the other, each with its interjections, and waits for the answers. */
export async function playThread(play: Play): Promise<void> {
  for (const turn of play.script.turns) await playTurn(play, turn)
  await play.view.until(`the end of ${play.script.id}`, () => play.view.isFree())
}

async function playTurn(play: Play, turn: TurnScript): Promise<void> {
  const { view, journal } = play
  const { messageId } = turn
  if (!turn.movesOn) await view.until(`a free thread for ${messageId}`, () => view.isFree())
  await sendTwice(play, turn)
  const interjecting = turn.interjections.map((interjection) => interject(play, interjection))
  await view.until(`the end of ${messageId}`, () => view.outcomeOf(messageId) !== undefined)
  const outcome = view.outcomeOf(messageId)!
  journal.add({ type: 'end', id: messageId, text: outcome.text })
  await continueTurn(play, outcome, messageId)
  await Promise.all(interjecting)
}

/** Often a person clicks twice, or the page sends again what was not acknowledged: through another node. */
async function sendTwice(play: Play, { messageId, text }: TurnScript): Promise<void> {
  const random = createRandom(messageId, 'twice')
  const send = (): Promise<void> => sendMessage(play, messageId, text)
  if (random.chance(0.3)) await Promise.all([send(), send()])
  else await send()
  if (random.chance(0.2)) await send()
}

async function sendMessage({ script, door, journal }: Play, messageId: string, text: string): Promise<void> {
  for (;;) {
    const path = `/api/threads/${script.id}/messages`
    const { status, body } = await door.send<MessageReceipt & ApiProblem>('POST', path, { text, messageId })
    if (status === 202)
      return journal.add({ type: 'ack', id: messageId, ...(body.runId && { runId: body.runId }) })
    if (status !== 409) throw new Error(`${messageId}: ${status} ${JSON.stringify(body)}`)
    // A turn is running.
    await sleep(30)
  }
}

async function interject(
  { script, door, journal }: Play,
  { id, mode, text, afterMs }: Interjection,
): Promise<void> {
  await sleep(afterMs * SLOWER)
  const { status, body } = await door.send('POST', `/api/threads/${script.id}/messages`, {
    text,
    mode,
    messageId: id,
  })
  if (status === 202) return journal.add({ type: 'taken', id })
  if (status !== 409) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`)
}

/** Continues a capped turn, now and then twice. A refusal says that the next turn has begun, or that it was continued. */
async function continueTurn(
  { script, door, view }: Play,
  outcome: TurnOutcome,
  messageId: string,
): Promise<void> {
  if (outcome.type !== 'capped' || outcome.resumeToken === undefined) return
  const { resumeToken } = outcome
  const once = () => door.send('POST', `/api/threads/${script.id}/continue`, { resumeToken })
  const answers = await Promise.all(createRandom(messageId, 'on').chance(0.3) ? [once(), once()] : [once()])
  const bad = answers.find(({ status }) => status !== 202 && status !== 409)
  if (bad) throw new Error(`continue ${messageId}: ${bad.status} ${JSON.stringify(bad.body)}`)
  await view.until(`the end of ${messageId}, continued`, () => view.isFree())
}
