import type { AnswerReceipt } from '@capstan/protocol'
import type { StoredApproval } from '../../ports/store.ts'
import { readYesOrNo } from '../../text/yes-or-no.ts'

/**
 * What a message that is only a yes or a no did. `answered`: it answered the open question. `needs-card`: the question is
 * too serious for a word, because it changes settings or access, or hides a part of its arguments.
 */
export interface WordAnswer {
  readonly type: 'answered' | 'needs-card'
  readonly approvalId: string
  readonly decision: 'allow-once' | 'deny'
}

interface WordAnswersOptions {
  readonly pending: () => Promise<readonly StoredApproval[]>
  readonly answer: (
    approvalId: string,
    decision: WordAnswer['decision'],
    messageId: string | undefined,
  ) => Promise<AnswerReceipt>
  /** The approval that this message has answered, also in an earlier process. */
  readonly findAnswered: (threadId: string, messageId: string) => Promise<StoredApproval | undefined>
  /** Whether the thread has this message already. */
  readonly hasMessage: (threadId: string, messageId: string) => Promise<boolean>
}

type AnswerInWords = (threadId: string, text: string, messageId?: string) => Promise<WordAnswer | undefined>

/**
 * Creates the function that lets a word answer the only open question of a thread. Undefined: it is a message like any
 * other. A yes in words means once. A message that is sent twice answers once.
 */
export function createWordAnswers(options: WordAnswersOptions): AnswerInWords {
  const { pending, answer, findAnswered, hasMessage } = options
  /** Answers under way, by thread and message. */
  const answering = new Map<string, Promise<WordAnswer | undefined>>()

  async function tryAnswer(threadId: string, decision: WordAnswer['decision'], messageId?: string) {
    const open = (await pending()).filter((asked) => asked.threadId === threadId)
    const [asked] = open
    if (!asked || open.length > 1) return undefined
    const found = { approvalId: asked.id, decision }
    if (asked.binding?.effect !== 'write' && asked.binding?.effect !== 'read')
      return { type: 'needs-card', ...found } as const
    if ((asked.hidden ?? []).length > 0) return { type: 'needs-card', ...found } as const
    const receipt = await answer(asked.id, decision, messageId)
    return receipt === 'accepted' ? ({ type: 'answered', ...found } as const) : undefined
  }

  async function answerOnce(threadId: string, decision: WordAnswer['decision'], messageId: string) {
    const before = await findAnswered(threadId, messageId)
    if (before) {
      const given = before.decision === 'deny' ? 'deny' : 'allow-once'
      return { type: 'answered', approvalId: before.id, decision: given } as const
    }
    // A message that was taken before the question was asked does not answer it.
    if (await hasMessage(threadId, messageId)) return undefined
    return tryAnswer(threadId, decision, messageId)
  }

  return async (threadId, text, messageId) => {
    const word = readYesOrNo(text)
    if (!word) return undefined
    const decision = word === 'yes' ? 'allow-once' : 'deny'
    if (messageId === undefined) return tryAnswer(threadId, decision)
    const key = `${threadId} ${messageId}`
    const underWay = answering.get(key) ?? answerOnce(threadId, decision, messageId)
    answering.set(key, underWay)
    return underWay.finally(() => answering.delete(key))
  }
}
