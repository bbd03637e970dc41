import type { ThreadId } from '@capstan/protocol'
import { DEMO_LABEL } from '@capstan/demo'
import type { ServerAddress } from '../server-access/server-file.ts'
import { ServerLink } from '../server-access/server-link.ts'
import type { Shell } from '../shell/shell.ts'
import { UsageError } from '../shell/shell.ts'
import { findThread } from '../store-access/find-by-id.ts'
import { withStore } from '../store-access/with-store.ts'
import type { Screen } from '../terminal/live-screen.ts'
import type { ChatStart } from './chat-start.ts'
import { greet } from './greet.ts'
import { runChat } from './run-chat.ts'
import { openServerThread } from './server-thread.ts'
import { showStoredThread } from './show-stored-thread.ts'

interface ServerChat {
  readonly home: string
  readonly server: ServerAddress
  readonly flags: {
    readonly model?: string
    readonly demo?: boolean
    readonly 'no-tools'?: boolean
    readonly thread?: string
    readonly json?: boolean
  }
  readonly screen: Screen
}

/** A chat in the running server of a data folder. Settles with the exit code. */
export async function chatWithServer(
  { home, server, flags, screen }: ServerChat,
  shell: Shell,
): Promise<number> {
  refuseAgentFlags(flags, server)
  const link = await ServerLink.open(home, server)
  try {
    const { modelInUse, safetyMode } = await link.call((api) => api.settings())
    const model = modelInUse.isDemo ? DEMO_LABEL : `Model: ${modelInUse.name}`
    greet(screen, shell, model, `Server: ${server.url}, safety mode ${safetyMode}`)
    const past = flags.thread === undefined ? undefined : await openPast(home, flags.thread, screen, shell)
    const open = openServerThread({
      link,
      ...(past ? { threadId: past.threadId, after: past.after, past: past.start.past } : undefined),
    })
    return await runChat({ open, ...past?.start }, screen, shell, flags.json)
  } finally {
    link.close()
  }
}

/** The server has a model and tools of its own. */
function refuseAgentFlags(flags: ServerChat['flags'], { url }: ServerAddress): void {
  const given = (['model', 'demo', 'no-tools'] as const).find((name) => flags[name] !== undefined)
  if (given)
    throw new UsageError(
      `--${given} has no effect on the server that is running at ${url}. Leave it out to chat with the server, or add --no-store to chat beside it.`,
    )
}

/** Shows a stored thread, and reads up to which event it was shown. */
function openPast(
  home: string,
  id: string,
  screen: Screen,
  shell: Shell,
): Promise<{
  readonly threadId: ThreadId
  readonly after: number
  readonly start: Pick<ChatStart, 'past' | 'resumeToken'>
}> {
  return withStore(shell, { home, readOnly: true }, async (store) => {
    const thread = await findThread(store, id)
    const lastSeq = await store.ledger.lastSeq(thread.id)
    const start = await showStoredThread(store, thread, screen, shell)
    return { threadId: thread.id, after: start.past?.events.at(-1)?.seq ?? lastSeq, start }
  })
}
