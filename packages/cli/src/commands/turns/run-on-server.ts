import type { ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { RefusedError } from '../../chat/chat-thread.ts'
import { openServerThread } from '../../chat/server-thread.ts'
import type { ServerAddress } from '../../server-access/server-file.ts'
import { ServerLink } from '../../server-access/server-link.ts'
import type { Shell } from '../../shell/shell.ts'
import { findThread } from '../../store-access/find-by-id.ts'
import { withStore } from '../../store-access/with-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'

/** One turn for the running server. */
export interface ServerRun {
  readonly home: string
  readonly server: ServerAddress
  readonly input: string
  /** The start of the id of a thread. Absent: a new thread. */
  readonly thread?: string | undefined
  readonly signal: AbortSignal
  readonly onEvent: (event: TurnEvent) => void
}

/** The turn waits for a person. It goes on in the server when they have answered. */
export interface Waiting {
  readonly type: 'waiting'
  readonly threadId: ThreadId
  readonly kind: 'approval' | 'sign-in'
  readonly id: string
  /** How the person answers. */
  readonly next: string
}

/** The end of a turn that never began. */
const STOPPED: TurnOutcome = { type: 'aborted', text: 'Stopped.', usage: NO_USAGE, iterations: 0 }

type WaitsForPerson = Extract<TurnEvent, { readonly type: 'approval-request' | 'connection-request' }>

/** Runs one turn in the running server. Settles at its end, or when it waits for a person: nobody may be here. */
export async function runOnServer(run: ServerRun, shell: Shell): Promise<TurnOutcome | Waiting> {
  const link = await ServerLink.open(run.home, run.server)
  const waiting = Promise.withResolvers<Waiting>()
  try {
    const past = run.thread === undefined ? undefined : await findPast(run.home, run.thread, shell)
    const thread = openServerThread({ link, ...past })(
      (event) => {
        run.onEvent(event)
        if (event.type === 'approval-request' || event.type === 'connection-request')
          waiting.resolve(toWaiting(event))
      },
      (sentence) => shell.stderr.write(`capstan: ${toPrintableLine(sentence)}\n`),
    )
    const session = await thread.open()
    if (run.signal.aborted) return STOPPED
    run.signal.addEventListener('abort', () => session.stop(), { once: true })
    return await Promise.race([session.send(run.input), waiting.promise])
  } catch (error) {
    throw error instanceof RefusedError && error.cause instanceof Error ? error.cause : error
  } finally {
    link.close()
  }
}

function findPast(home: string, id: string, shell: Shell) {
  return withStore(shell, { home, readOnly: true }, async (store) => {
    const { id: threadId } = await findThread(store, id)
    return { threadId, after: await store.ledger.lastSeq(threadId) }
  })
}

function toWaiting(event: WaitsForPerson): Waiting {
  const { threadId } = event
  if (event.type === 'approval-request')
    return {
      type: 'waiting',
      threadId,
      kind: 'approval',
      id: event.approvalId,
      next: `Answer with "capstan approvals approve ${event.approvalId}" or "deny": the turn goes on in the server.`,
    }
  return {
    type: 'waiting',
    threadId,
    kind: 'sign-in',
    id: event.connectionId,
    next: `Run "capstan connect ${event.toolkit}": the turn goes on in the server.`,
  }
}
