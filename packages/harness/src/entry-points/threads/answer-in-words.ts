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
  readonly answer: (approvalId: string, decision: WordAnswer['decision']) => Promise<AnswerReceipt>
  /** Whether the thread has this message already. */
  readonly hasMessage: (threadId: string, messageId: string) => Promise<boolean>
}

/** How many messages that answered are remembered, so that one that is sent twice is not a new message. */
const MAX_KNOWN = 1000

type AnswerInWords = (threadId: string, text: string, messageId?: string) => Promise<WordAnswer | undefined>

/**
 * Creates the function that lets a word answer the only open question of a thread. Undefined: it is a message like any
 * other. A yes in words means once.
 */
export function createWordAnswers({ pending, answer, hasMessage }: WordAnswersOptions): AnswerInWords {
  const known = new Map<string, Promise<WordAnswer | undefined>>()

  async function tryAnswer(threadId: string, decision: WordAnswer['decision']) {
    const open = (await pending()).filter((asked) => asked.threadId === threadId)
    const [asked] = open
    if (!asked || open.length > 1) return undefined
    const found = { approvalId: asked.id, decision }
    if (asked.binding?.effect !== 'write' && asked.binding?.effect !== 'read')
      return { type: 'needs-card', ...found } as const
    if ((asked.hidden ?? []).length > 0) return { type: 'needs-card', ...found } as const
    const receipt = await answer(asked.id, decision)
    return receipt === 'accepted' ? ({ type: 'answered', ...found } as const) : undefined
  }

  return async (threadId, text, messageId) => {
    const word = readYesOrNo(text)
    if (!word) return undefined
    const key = `${threadId} ${messageId}`
    const before = messageId === undefined ? undefined : known.get(key)
    if (before) return before
    // A message that was taken before the question was asked does not answer it.
    if (messageId !== undefined && (await hasMessage(threadId, messageId))) return undefined
    const answering = known.get(key) ?? tryAnswer(threadId, word === 'yes' ? 'allow-once' : 'deny')
    if (messageId === undefined) return answering
    known.set(key, answering)
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!)
    const answered = await answering.catch(() => undefined)
    if (answered?.type !== 'answered') known.delete(key)
    return answering
  }
}
