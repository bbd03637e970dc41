import { ConfigurationError } from '@capstan/harness'
import type { Submission, Threads, WordAnswer } from '@capstan/harness'
import type { MessagePost, MessageReceipt, RunId } from '@capstan/protocol'
import { ApiError } from '../http/api-error.ts'
import { toInput } from '../http/payload/to-input.ts'
import type { UnattendedPost } from '../unattended/unattended-post.ts'

/** What people do in a thread. With several nodes, the node that runs the thread carries it out. */
export interface ThreadActions {
  /** Settles when the message is stored. A message that is only a yes or a no answers the one open question. */
  message(threadId: string, post: MessagePost): Promise<MessageReceipt>
  /** Starts a turn that nobody watches; see `Unattended`. Its words never answer a question. */
  startUnattended(threadId: string, post: UnattendedPost): Promise<MessageReceipt>
  /** Continues a turn that ended at a cap. */
  continue(threadId: string, resumeToken: string): Promise<MessageReceipt>
  /** Stops the running or parked turn. With an id, only if it is that run. */
  stop(threadId: string, runId?: RunId): Promise<void>
  /** Stops the turn and deletes the thread. False when there is none. */
  remove(threadId: string): Promise<boolean>
}

/** Carries the actions out in this process. Rejects with an `ApiError` for what a person must know. */
export function createThreadActions(
  threads: Threads,
  countQueued: (delivery: Promise<unknown>) => void,
): ThreadActions {
  return {
    async message(id, post) {
      const { mode = 'send', messageId, text, attachments = [], seenSeq } = post
      const said =
        mode === 'interrupt' || attachments.length > 0
          ? undefined
          : await threads.answerInWords(id, text, { messageId, seenSeq })
      if (said) return toAnswered(said, messageId)
      const session = await threads.open(id)
      const taken = await session.submit(toInput(post), { mode, messageId })
      if (taken.runId === undefined) countQueued(taken.delivery)
      return toReceipt(taken, messageId)
    },
    async startUnattended(id, { messageId, text, origin, untrusted, budget }) {
      const session = await threads.open(id)
      const taken = await session.submit(untrusted ? { text, untrusted } : text, {
        messageId,
        unattended: { origin, ...(budget && { budget }) },
      })
      return toReceipt(taken, messageId)
    },
    async continue(id, resumeToken) {
      const session = await threads.open(id)
      try {
        return toReceipt(await session.continue(resumeToken))
      } catch (error) {
        if (error instanceof ConfigurationError) throw nothingToContinue()
        throw error
      }
    },
    async stop(id, runId) {
      const session = await threads.open(id)
      session.stop(runId)
    },
    remove: (id) => threads.delete(id),
  }
}

const nothingToContinue = (): ApiError =>
  new ApiError('conflict', 'There is nothing to continue, or it was continued already.', {
    field: 'resumeToken',
  })

const toReceipt = (taken: Submission, messageId?: string): MessageReceipt => ({
  ...(messageId !== undefined && { messageId }),
  ...(taken.runId !== undefined && { runId: taken.runId }),
})

function toAnswered({ type, approvalId, decision }: WordAnswer, messageId: string): MessageReceipt {
  if (type === 'answered') return { messageId, answered: { approvalId, decision } }
  throw new ApiError(
    'conflict',
    'A word is not enough for this question. Look at its card and answer it there.',
    {
      field: 'approval',
    },
  )
}
