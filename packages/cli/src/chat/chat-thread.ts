import type { AgentOptions, Session, Store } from '@capstan/harness'
import { createMemoryApprovals, createSession, createThreads } from '@capstan/harness'
import type { AnswerReceipt, ApprovalDecision, ThreadId, TurnEvent } from '@capstan/protocol'
import { USER_ID } from '../store-access/open-store.ts'

export type Answer = Exclude<ApprovalDecision, 'expired'>

/** Where a conversation takes place. */
export interface ChatThread {
  /** Whether what is not finished goes on another day. */
  readonly isStored: boolean
  /** The thread begins with the first call. */
  open(): Promise<Session>
  answer(approvalId: string, answer: Answer): Promise<AnswerReceipt>
  /** Lets go of everything. A turn that waits goes on waiting, if it is kept. */
  close(): Promise<void>
}

/** Begins a talk; the listener hears every event of its thread. */
export type OpenChatThread = (onEvent: (event: TurnEvent) => void) => ChatThread

/** Nothing of it outlives the process. */
export function openUnsavedThread(agent: AgentOptions): OpenChatThread {
  return (onEvent) => {
    const approvals = createMemoryApprovals()
    const session = createSession({ ...agent, safety: { approvals, ...agent.safety }, onEvent })
    return {
      isStored: false,
      open: async () => session,
      answer: async (id, answer) => approvals.answer(id, answer),
      async close() {
        session.stop()
        await session.idle()
      },
    }
  }
}

/** So long those who leave wait for turns of other threads; what is not done then goes on another day. */
const GRACE_MS = 1000

/** Everything of it is in the store, and unfinished turns of other threads go on beside it. */
export function openStoredThread(
  store: Store,
  options: {
    readonly agent: AgentOptions
    /** Continue this one. Absent: a new thread. */
    readonly threadId?: ThreadId
    readonly onProblem: (error: unknown) => void
  },
): (onEvent: (event: TurnEvent) => void) => ChatThread & { resume(): Promise<void> } {
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
    let opening: Promise<Session> | undefined
    async function begin(): Promise<Session> {
      threadId ??= (await threads.create()).id
      return threads.open(threadId)
    }
    return {
      isStored: true,
      open: () => (opening ??= begin()),
      answer: (id, answer) => threads.answer(id, answer),
      async resume() {
        await threads.resume()
      },
      async close() {
        await threads.stop({ graceMs: GRACE_MS })
      },
    }
  }
}
