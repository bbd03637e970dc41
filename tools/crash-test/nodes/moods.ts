import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageReceipt, TurnEvent } from '@capstan/protocol'
import { createRandom } from '../random.ts'
import { EFFECT_TOOLS, decide } from '../scenario.ts'
import type { Apps } from './apps.ts'
import type { Play } from './play-thread.ts'

type Question = Extract<TurnEvent, { type: 'approval-request' }>

/**
 * What a person does because of what they see: they answer questions in a click or in words, twice and late, stop turns,
 * switch the mode and disconnect the app. The moments depend on the event only.
 */
export async function react(play: Play, apps: Apps, event: TurnEvent): Promise<void> {
  if (event.type === 'approval-request') await answer(play, event)
  if (event.type === 'turn-park') await overCard(play, apps, event)
  if (event.type === 'tool-start' && EFFECT_TOOLS.has(event.tool)) await duringWrite(play, event)
}

async function answer(play: Play, { approvalId, arguments: args }: Question): Promise<void> {
  const random = createRandom(approvalId, 'answer')
  const decision = decide((args as { readonly tag?: string }).tag ?? approvalId)
  await sleep(random.int(0, 250))
  if (random.chance(0.3) && (await inWords(play, approvalId, decision === 'deny'))) return
  const click = (what: string) => play.door.send('POST', `/api/approvals/${approvalId}`, { decision: what })
  const clicks = [click(decision)]
  // A second click changes nothing, whichever node it reaches.
  if (random.chance(0.3)) clicks.push(click(decision === 'deny' ? 'allow-once' : 'deny'))
  await Promise.all(clicks)
}

/** A word answers the only open question. True when it was taken as an answer. */
async function inWords(
  { script, door, view, journal }: Play,
  approvalId: string,
  isNo: boolean,
): Promise<boolean> {
  if (view.open().size !== 1) return false
  const messageId = `word_${approvalId}`
  const text = isNo ? 'no' : 'yes'
  const path = `/api/threads/${script.id}/messages`
  const say = () => door.send<MessageReceipt>('POST', path, { text, messageId })
  const { status, body } = await say()
  if (status !== 202 || body.answered?.approvalId !== approvalId) return status === 202
  const again = await say()
  if (again.status === 202 && again.body.answered?.approvalId !== approvalId)
    journal.add({ type: 'word-again', id: messageId })
  return true
}

async function overCard(
  { script, door }: Play,
  apps: Apps,
  { threadId, seq, runId }: TurnEvent,
): Promise<void> {
  const random = createRandom(threadId, seq, 'card')
  if (random.chance(0.1)) await door.send('POST', `/api/threads/${script.id}/stop`, { runId })
  if (random.chance(0.2))
    await door.send('PATCH', '/api/settings', { safetyMode: random.pick(['full', 'supervised']) })
  if (random.chance(0.15)) await apps.stock.signInAgain()
  if (random.chance(0.15)) await apps.notes.signInAgain()
}

async function duringWrite({ script, door }: Play, { threadId, seq }: TurnEvent): Promise<void> {
  const random = createRandom(threadId, seq, 'write')
  if (!random.chance(0.05)) return
  await sleep(random.int(0, 20))
  await door.send('POST', `/api/threads/${script.id}/stop`, {})
}
