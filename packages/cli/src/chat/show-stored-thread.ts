import type { Store } from '@capstan/harness/stores'
import { explainThread } from '@capstan/harness/ledger'
import type { ThreadRow } from '@capstan/protocol'
import { drawPrompt, drawThread } from '../render/draw-thread.ts'
import type { Shell } from '../shell/shell.ts'
import { readPastTurn } from '../store-access/past-turn.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { paint, styleOf } from '../terminal/style.ts'
import type { ChatStart } from './chat-start.ts'

const TURNS_SHOWN = 3

/** Shows the last turns of a stored thread. Answers with its unfinished turn, or the token of one that paused. */
export async function showStoredThread(
  store: Store,
  thread: ThreadRow,
  screen: Screen,
  { stdout, env }: Shell,
): Promise<Pick<ChatStart, 'past' | 'resumeToken'>> {
  const turns = explainThread(await store.ledger.read(thread.id)).slice(-TURNS_SHOWN)
  const finished = turns.filter(({ endedAt }) => endedAt !== undefined)
  const open = turns.at(-1)?.endedAt === undefined ? turns.at(-1) : undefined
  const style = styleOf(stdout, env)
  screen.draw([
    paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)'),
    '',
    ...drawThread(finished, style),
    ...(finished.length > 0 ? [''] : []),
    ...(open ? drawPrompt(open.asked, style) : []),
  ])
  const run = open && (await store.runs.get(open.runId))
  if (run) return { past: await readPastTurn(store, run) }
  const outcome = turns.at(-1)?.stopped.outcome
  return { resumeToken: outcome?.type === 'capped' ? outcome.resumeToken : undefined }
}
