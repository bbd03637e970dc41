import type { Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import type { Journal, Line } from './journal.ts'
import { createRandom } from './random.ts'
import type { ProcessMessage } from './round-files.ts'
import type { Decision } from './scenario.ts'
import { decide } from './scenario.ts'
import type { Start } from './starts.ts'

/** An open question. */
interface Question {
  readonly id: string
  readonly threadId: string
  readonly arguments: unknown
}

interface AnswersOptions {
  readonly start: Start
  readonly journal: Journal
  readonly threads: () => Threads
  readonly send: (message: ProcessMessage) => void
  readonly onError: (error: unknown) => void
}

/** Answers the questions of one start: at once, in words or by the parent, or not at all. */
export interface Answers {
  handle(question: Question): void
  /** An answer of the parent. */
  give(id: string, decision: Decision): void
  /** Sends the words of earlier starts again, as a client does that lost the receipt. */
  repeatWords(store: Store): Promise<void>
}

export function createAnswers({ start, journal, threads, send, onError }: AnswersOptions): Answers {
  const give = (id: string, decision: Decision): void => void threads().answer(id, decision).catch(onError)

  /** False when a word does not answer it. */
  async function inWords({ id, threadId }: Question, decision: Decision): Promise<boolean> {
    const text = decision === 'deny' ? 'no' : 'yes'
    const messageId = `word_${id}`
    journal.add({ type: 'word', id: messageId, threadId, text, approvalId: id })
    const answered = await threads().answerInWords(threadId, text, { messageId })
    journal.add({ type: 'word-end', id: messageId, isAnswered: answered?.type === 'answered' })
    return answered?.type === 'answered'
  }

  async function answerNow(question: Question): Promise<void> {
    const { id } = question
    const decision = decide(tagOf(question))
    const isWord = createRandom(id, 'words').chance(0.3)
    if (!isWord || !(await inWords(question, decision))) give(id, decision)
    // A second click changes nothing.
    if (start.repeats) give(id, decision === 'deny' ? 'allow-once' : 'deny')
  }

  return {
    give,
    handle(question) {
      if (start.answers === 'later') return
      const { id } = question
      if (start.answers === 'by-parent') return send({ type: 'approval', id, tag: tagOf(question) })
      setImmediate(() => void answerNow(question).catch(onError))
    },
    async repeatWords(store) {
      if (!start.repeats) return
      for (const word of journal.lines.filter(isWordLine)) {
        if (journal.lines.some((line) => line.type === 'word-end' && line.id === word.id && !line.isAnswered))
          continue
        const asked = await store.approvals.get(word.approvalId)
        if (asked?.decision !== (word.text === 'no' ? 'deny' : 'allow-once')) continue
        const again = await threads().answerInWords(word.threadId, word.text, { messageId: word.id })
        if (again?.approvalId !== word.approvalId) journal.add({ type: 'word-again', id: word.id })
      }
    },
  }
}

const isWordLine = (line: Line): line is Extract<Line, { type: 'word' }> => line.type === 'word'

const tagOf = ({ id, arguments: args }: Question): string => (args as { readonly tag?: string }).tag ?? id
