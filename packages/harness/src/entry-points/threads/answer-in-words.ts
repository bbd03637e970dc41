import type { AnswerReceipt } from '@capstan/protocol'
import type { StoredApproval } from '../../ports/store.ts'
import { readYesOrNo } from '../../text/yes-or-no.ts'

/**
 * What a message that is only a yes or a no did. `answered`: it answered the open question. `needs-card`: the question is
 * too serious for a word, because it changes settings or access, or hides a part of its arguments; or the person had not
 * seen it.
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
  /** Whether the question came after an event of its thread. */
  readonly cameAfter: (asked: StoredApproval, seq: number) => Promise<boolean>
}

/** What is known of a message that may answer. */
export interface WordOptions {
  /** The client's id of the message: sent twice, it is one answer. */
  readonly messageId?: string | undefined
  /** The newest event that the person saw when they wrote. A question that came after it is not answered. */
  readonly seenSeq?: number | undefined
}

type AnswerInWords = (
  threadId: string,
  text: string,
  options?: WordOptions,
) => Promise<WordAnswer | undefined>

/**
 * Creates the function that lets a word answer the only open question of a thread. Undefined: it is a message like any
 * other. A yes in words means once. A message that is sent twice answers once.
 */
export function createWordAnswers(options: WordAnswersOptions): AnswerInWords {
  const { pending, answer, findAnswered, hasMessage, cameAfter } = options
  /** Answers under way, by thread and message. */
  const answering = new Map<string, Promise<WordAnswer | undefined>>()

  async function tryAnswer(
    threadId: string,
    decision: WordAnswer['decision'],
    { messageId, seenSeq }: WordOptions,
  ): Promise<WordAnswer | undefined> {
    const open = (await pending()).filter((asked) => asked.threadId === threadId)
    const [asked] = open
    if (!asked || open.length > 1) return undefined
    const found = { approvalId: asked.id, decision }
    if (isSerious(asked) || (seenSeq !== undefined && (await cameAfter(asked, seenSeq))))
      return { type: 'needs-card', ...found }
    const receipt = await answer(asked.id, decision, messageId)
    return receipt === 'accepted' ? { type: 'answered', ...found } : undefined
  }

  async function answerOnce(
    threadId: string,
    decision: WordAnswer['decision'],
    messageId: string,
    seenSeq: number | undefined,
  ): Promise<WordAnswer | undefined> {
    const before = await findAnswered(threadId, messageId)
    if (before) {
      const given = before.decision === 'deny' ? 'deny' : 'allow-once'
      return { type: 'answered', approvalId: before.id, decision: given }
    }
    // A message that was taken before the question was asked does not answer it.
    if (await hasMessage(threadId, messageId)) return undefined
    return tryAnswer(threadId, decision, { messageId, seenSeq })
  }

  return async (threadId, text, { messageId, seenSeq } = {}) => {
    const word = readYesOrNo(text)
    if (!word) return undefined
    const decision = word === 'yes' ? 'allow-once' : 'deny'
    if (messageId === undefined) return tryAnswer(threadId, decision, { seenSeq })
    const key = `${threadId} ${messageId}`
    const underWay = answering.get(key) ?? answerOnce(threadId, decision, messageId, seenSeq)
    answering.set(key, underWay)
    return underWay.finally(() => answering.delete(key))
  }
}

/** Whether a question changes settings or access, or hides a part of its arguments. */
const isSerious = ({ binding, hidden = [] }: StoredApproval): boolean =>
  (binding?.effect !== 'write' && binding?.effect !== 'read') || hidden.length > 0
