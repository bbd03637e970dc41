import type { AttachmentPost, MessageMode, MessagePost, MessageReceipt, RunId } from '@capstan/protocol'
import type { ApiErrorCode, ThreadView } from '@capstan/client'
import { rootOf } from '@capstan/client'

/** A message on its way: shown until the thread itself shows it. */
export interface OutboxItem extends MessagePost {
  readonly mode: MessageMode
  readonly attachments: readonly AttachmentPost[]
  /** `accepted`: stored, and waiting for its turn or for the next step. `unread`: the turn was stopped before. */
  readonly status: 'sending' | 'retrying' | 'accepted' | 'failed' | 'unread'
  readonly runId?: RunId
  /** The newest event when it was sent. Older events cannot be about it. */
  readonly afterSeq: number
  /** Why it failed. */
  readonly problem?: SendProblem
}

export interface SendProblem {
  readonly code: ApiErrorCode
  readonly field?: string
  readonly retryAfterMs?: number
}

export interface Outbox {
  readonly items: readonly OutboxItem[]
  /** Sends a message, again under the same id until the server has stored or refused it. */
  send(message: Pick<OutboxItem, 'text' | 'mode' | 'attachments'>, afterSeq: number): void
  retry(messageId: string): void
  /** Removes a message and returns it, so that it can be edited. */
  remove(messageId: string): OutboxItem | undefined
  /** The files of the newest message that had some, if it began this run. A turn may not report all of them. */
  filesOf(runId: RunId): readonly AttachmentPost[] | undefined
  /** Removes what the thread shows by now. */
  settle(state: ThreadView): void
}

export interface OutboxOptions {
  /** Rejects with what `toProblem` reads. */
  readonly post: (message: MessagePost) => Promise<MessageReceipt>
  readonly toProblem: (error: unknown) => SendProblem
  readonly onChange: () => void
  /** Where messages are kept when the page is closed. */
  readonly storage?: { read(): readonly KeptMessage[]; write(messages: readonly KeptMessage[]): void }
  readonly newId?: () => string
  /** Calls later. */
  readonly after?: (ms: number, work: () => void) => void
}

/** What is kept of a message that the server may not have yet. Files are not kept: they would not fit. */
export interface KeptMessage {
  readonly messageId: string
  readonly text: string
  readonly mode: MessageMode
}

const MAX_ATTEMPTS = 6
const FIRST_PAUSE_MS = 800

/** No answer, or one that is not about the message: sending it again may work, and never makes a second message. */
const TRANSIENT: ReadonlySet<ApiErrorCode> = new Set([
  'unreachable',
  'unavailable',
  'internal',
  'rate_limited',
])

export function createOutbox(options: OutboxOptions): Outbox {
  const { post, toProblem, onChange, storage, newId = () => crypto.randomUUID() } = options
  const after = options.after ?? ((ms, work) => void setTimeout(work, ms))
  let items: readonly OutboxItem[] = []
  let files: { readonly runId: RunId; readonly attachments: readonly AttachmentPost[] } | undefined

  function set(next: readonly OutboxItem[]): void {
    if (next === items) return
    items = next
    const kept = items.filter((item) => item.status !== 'accepted' && item.attachments.length === 0)
    storage?.write(kept.map(({ messageId, text, mode }) => ({ messageId, text, mode })))
    onChange()
  }

  function change(messageId: string, to: Partial<OutboxItem>): void {
    set(items.map((item) => (item.messageId === messageId ? { ...item, ...to } : item)))
  }

  const find = (messageId: string): OutboxItem | undefined =>
    items.find((item) => item.messageId === messageId)

  async function deliver(messageId: string, attempt = 1): Promise<void> {
    const item = find(messageId)
    if (!item) return
    const { text, mode, attachments, afterSeq } = item
    try {
      const { runId, answered } = await post({
        messageId,
        text,
        mode,
        // It may arrive much later, when another question is open.
        seenSeq: afterSeq,
        ...(attachments.length > 0 ? { attachments } : undefined),
      })
      // The card shows the answer.
      if (answered) return set(items.filter((other) => other.messageId !== messageId))
      if (runId && attachments.length > 0) files = { runId, attachments }
      change(messageId, { status: 'accepted', ...(runId ? { runId } : undefined) })
    } catch (error) {
      fail(messageId, attempt, toProblem(error))
    }
  }

  function fail(messageId: string, attempt: number, problem: SendProblem): void {
    const item = find(messageId)
    if (!item) return
    // A turn has started meanwhile, in another window: the thread says what becomes of the message.
    const isRunning = problem.code === 'conflict' && problem.field !== 'approval'
    if (isRunning && item.mode === 'send' && item.attachments.length === 0) {
      change(messageId, { mode: 'queue' })
      void deliver(messageId, attempt + 1)
      return
    }
    if (!TRANSIENT.has(problem.code) || attempt >= MAX_ATTEMPTS) {
      change(messageId, { status: 'failed', problem })
      return
    }
    change(messageId, { status: 'retrying', problem })
    const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1)
    after(Math.max(pause, problem.retryAfterMs ?? 0), () => void deliver(messageId, attempt + 1))
  }

  for (const { messageId, text, mode } of storage?.read() ?? []) {
    items = [...items, { messageId, text, mode, attachments: [], status: 'sending', afterSeq: 0 }]
    void Promise.resolve().then(() => deliver(messageId))
  }

  return {
    get items() {
      return items
    },
    send(message, afterSeq) {
      const item: OutboxItem = { ...message, messageId: newId(), status: 'sending', afterSeq }
      set([...items, item])
      void deliver(item.messageId)
    },
    retry(messageId) {
      const item = find(messageId)
      if (!item) return
      // An unread message becomes a new one: the server has the old one.
      if (item.status === 'unread') {
        const { text, attachments, afterSeq } = item
        set(items.filter((other) => other !== item))
        this.send({ text, attachments, mode: 'send' }, afterSeq)
        return
      }
      change(messageId, { status: 'sending' })
      void deliver(messageId)
    },
    remove(messageId) {
      const item = find(messageId)
      if (item) set(items.filter((other) => other !== item))
      return item
    },
    filesOf: (runId) => (files?.runId === runId ? files.attachments : undefined),
    settle(state) {
      set(settleItems(items, state))
    },
  }
}

/** The same list when nothing is settled. */
function settleItems(items: readonly OutboxItem[], state: ThreadView): readonly OutboxItem[] {
  if (items.length === 0) return items
  const settled = items.flatMap((item) => {
    if (isShown(item, state)) return []
    // A message that a turn did not read becomes the next turn by itself, unless the turn was stopped.
    const isWaiting = item.status === 'accepted' && item.runId === undefined
    return isWaiting && wasStopped(state, item.afterSeq) ? [{ ...item, status: 'unread' as const }] : [item]
  })
  return settled.every((item, index) => item === items[index]) && settled.length === items.length
    ? items
    : settled
}

function isShown(item: OutboxItem, { turns }: ThreadView): boolean {
  const { messageId, runId, text, mode, afterSeq, status } = item
  if (runId) return turns.some((turn) => turn.runId === runId)
  if (turns.some(({ messageIds }) => messageIds.includes(messageId))) return true
  if (status !== 'accepted' && status !== 'unread') return false
  if (turns.some((turn) => turn.key > afterSeq && turn.text === text)) return true
  return mode === 'steer' && turns.some((turn) => turn.additions.some(isItsAddition(text, afterSeq)))
}

const isItsAddition =
  (text: string, afterSeq: number) =>
  (addition: { readonly key: number; readonly text: string }): boolean =>
    addition.key > afterSeq && addition.text === text

/** Whether the turn that was to read the message was stopped after it was sent. */
function wasStopped({ turns, lastSeq }: ThreadView, afterSeq: number): boolean {
  const last = turns.at(-1)
  return last !== undefined && lastSeq > afterSeq && rootOf(last).outcome?.type === 'aborted'
}
