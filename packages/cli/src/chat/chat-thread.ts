import type { AgentOptions, Session } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { createSession, createThreads } from '@capstan/harness'
import { createMemoryApprovals } from '@capstan/harness/stores'
import type {
  AnswerReceipt,
  ExactArguments,
  GrantConstraints,
  ThreadId,
  TurnEvent,
  TurnOutcome,
  GivenAnswer,
} from '@capstan/protocol'
import { USER_ID } from '../store-access/open-store.ts'

/** A decision a user can make. */
export type Answer = GivenAnswer

/** One conversation, in this process or in a server. */
export interface ChatSession {
  /** Starts a turn, and waits for its outcome. Rejects with `RefusedError` when no turn may start. */
  send(text: string): Promise<TurnOutcome>
  /** Sends a message to the running turn. False: it ended before it received the message, which is lost. */
  steer(text: string): Promise<boolean>
  /** Continues a turn that paused at its limit. */
  continue(resumeToken: string): Promise<TurnOutcome>
  stop(): void
  /** Settles when no turn is running. */
  idle(): Promise<void>
}

/** The server did not take a message. The chat goes on. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** The thread a chat takes place in. */
export interface ChatThread {
  /** Whether an unfinished turn can be resumed by a later process. */
  readonly isStored: boolean
  /** Rejects when the thread can no longer be reached. Absent for a thread in this process. */
  readonly lost?: Promise<never>
  /** The session of the thread. The first call creates a new thread where none was named. */
  open(): Promise<ChatSession>
  answer(approvalId: string, answer: Answer, constraints?: GrantConstraints): Promise<AnswerReceipt>
  /** Exactly what the call of an open approval would run. Undefined where that cannot be shown. */
  reveal(approvalId: string): Promise<ExactArguments | undefined>
  /** Stops everything. A stored turn that waits for an approval stays waiting. */
  close(): Promise<void>
}

/** Opens a thread; `onEvent` receives every event of it, `onNote` sentences about the connection. */
export type OpenChatThread = (
  onEvent: (event: TurnEvent) => void,
  onNote: (sentence: string) => void,
) => ChatThread

const toChatSession = (session: Session): ChatSession => ({
  send: (text) => session.send(text),
  steer: async (text) => (await session.steer(text)).delivered,
  continue: async (resumeToken) => (await session.continue(resumeToken)).outcome,
  stop: () => session.stop(),
  idle: () => session.idle(),
})

/** A thread in memory: nothing of it outlives the process. */
export function openUnsavedThread(agent: AgentOptions): OpenChatThread {
  return (onEvent) => {
    const approvals = createMemoryApprovals()
    const session = createSession({ ...agent, safety: { approvals, ...agent.safety }, onEvent })
    return {
      isStored: false,
      open: async () => toChatSession(session),
      answer: async (id, answer, constraints) => approvals.answer(id, answer, constraints),
      reveal: async () => undefined,
      async close() {
        session.stop()
        await session.idle()
      },
    }
  }
}

/** How long closing waits for running turns of other threads. What is not done by then is resumed later. */
const GRACE_MS = 1000

/** A stored thread that can also resume the unfinished turns of other threads. */
export interface StoredChatThread extends ChatThread {
  resumeTurns(): Promise<void>
}

/** A thread in the store. Unfinished turns of other threads run beside it once they are resumed. */
export function openStoredThread(
  store: Store,
  options: {
    readonly agent: AgentOptions
    /** The thread to open. Absent: a new thread. */
    readonly threadId?: ThreadId
    readonly onProblem: (error: unknown) => void
  },
): (onEvent: (event: TurnEvent) => void) => StoredChatThread {
  return (onEvent) => {
    let { threadId } = options
    const threads = createThreads({
      store,
      userId: USER_ID,
      agent: options.agent,
      onProblem: options.onProblem,
      onEvent: (event) => {
        if (event.threadId === threadId) onEvent(event)
      },
    })
    let opening: Promise<ChatSession> | undefined
    async function openSession(): Promise<ChatSession> {
      threadId ??= (await threads.create()).id
      return toChatSession(await threads.open(threadId))
    }
    return {
      isStored: true,
      open: () => (opening ??= openSession()),
      answer: (id, answer, constraints) => threads.answer(id, answer, constraints),
      reveal: (id) => threads.revealArguments(id),
      async resumeTurns() {
        await threads.resume()
      },
      async close() {
        await threads.stop({ graceMs: GRACE_MS })
      },
    }
  }
}
