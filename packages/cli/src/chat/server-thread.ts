import type { MessagePost, RunId, ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { ServerLink } from '../server-access/server-link.ts'
import { CommandError } from '../shell/shell.ts'
import type { PastTurn } from '../store-access/past-turn.ts'
import type { ChatSession, ChatThread, OpenChatThread } from './chat-thread.ts'
import { RefusedError } from './chat-thread.ts'

type Link = Pick<ServerLink, 'url' | 'seen' | 'call' | 'watch' | 'close'>

/** A thread of the running server. */
export interface ServerThreadOptions {
  readonly link: Link
  /** Absent: a new thread. */
  readonly threadId?: ThreadId
  /** Events up to this number are on the screen. */
  readonly after?: number
  /** Its unfinished turn so far. */
  readonly past?: PastTurn | undefined
}

/** A chat with the running server: it has the model, the apps and the settings. */
export function openServerThread(options: ServerThreadOptions): OpenChatThread {
  return (onEvent, onNote) => new ServerThread(options, onEvent, onNote)
}

/** Settles when the server has taken a message: with the turn that it started, or the one that it reached. */
interface PendingMessage {
  readonly settle: (isTaken: boolean) => void
}

class ServerThread implements ChatThread {
  readonly isStored = true
  readonly #lost = Promise.withResolvers<never>()
  readonly #link: Link
  readonly #after: number
  readonly #onEvent: (event: TurnEvent) => void
  readonly #onNote: (sentence: string) => void
  readonly #turns = new Map<RunId, PromiseWithResolvers<TurnOutcome>>()
  readonly #steers = new Map<string, PendingMessage>()
  /** Approvals with hidden values: the chat asks twice before it allows one. */
  readonly #hidden = new Set<string>()
  #threadId: ThreadId | undefined
  /** The newest turn. Its sub-agents end their own turns. */
  #turnId: RunId | undefined
  #opening: Promise<ChatSession> | undefined
  #gone: CommandError | undefined
  /** The message on its way to the server. A stop comes after it. */
  #posted: Promise<unknown> = Promise.resolve()
  /** Events are delivered one after the other; the end of a turn is dealt with before the next one begins. */
  #delivered: Promise<void> = Promise.resolve()

  constructor(
    { link, threadId, after = 0, past }: ServerThreadOptions,
    onEvent: (event: TurnEvent) => void,
    onNote: (sentence: string) => void,
  ) {
    this.#link = link
    this.#lost.promise.catch(() => {}) // whoever waits for it hears it
    this.#threadId = threadId
    this.#after = after
    this.#onEvent = onEvent
    this.#onNote = onNote
    for (const event of past?.events ?? []) this.#note(event)
  }

  get lost(): Promise<never> {
    return this.#lost.promise
  }

  open(): Promise<ChatSession> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  async answer(
    ...[approvalId, decision, constraints]: Parameters<ChatThread['answer']>
  ): ReturnType<ChatThread['answer']> {
    const { receipt } = await this.#link.call((api) =>
      api.answerApproval(approvalId, {
        decision,
        ...(constraints ? { constraints } : undefined),
        ...(this.#hidden.has(approvalId) && decision !== 'deny' ? { withHidden: true } : undefined),
      }),
    )
    return receipt
  }

  reveal(approvalId: string): ReturnType<ChatThread['reveal']> {
    return this.#link.call((api) => api.revealApproval(approvalId))
  }

  async close(): Promise<void> {
    this.#link.close()
  }

  async #open(): Promise<ChatSession> {
    const threadId = (this.#threadId ??= (await this.#link.call((api) => api.createThread())).id)
    await this.#link.watch(threadId, this.#after, {
      onEvent: (event) => {
        this.#delivered = this.#delivered.then(() => this.#deliver(event))
      },
      onNote: this.#onNote,
      onGone: (why) => this.#lose(why),
    })
    return {
      send: (text) => this.#send(threadId, text),
      steer: (text) => this.#steer(threadId, text),
      continue: async (resumeToken) => {
        const { runId } = await this.#take((call) => call((api) => api.continueTurn(threadId, resumeToken)))
        return this.#outcomeOf(runId!)
      },
      stop: () => void this.#stop(threadId),
      idle: () => this.#delivered,
    }
  }

  async #send(threadId: ThreadId, text: string): Promise<TurnOutcome> {
    const messageId = crypto.randomUUID()
    const { runId } = await this.#post(threadId, { text, messageId })
    if (runId === undefined) throw new RefusedError('The message answered an open question.')
    return this.#outcomeOf(runId)
  }

  async #steer(threadId: ThreadId, text: string): Promise<boolean> {
    const messageId = crypto.randomUUID()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#steers.set(messageId, { settle: resolve })
    try {
      const { runId, answered } = await this.#post(threadId, { text, messageId, mode: 'steer' })
      if (runId !== undefined || answered) return true
      return await promise
    } finally {
      this.#steers.delete(messageId)
    }
  }

  #post(threadId: ThreadId, message: MessagePost) {
    const { seen: seenSeq } = this.#link
    const posting = this.#take((call) => call((api) => api.sendMessage(threadId, { ...message, seenSeq })))
    this.#posted = posting.catch(() => {}) // the sender hears it
    return posting
  }

  /** What the server refuses is told, and the chat goes on; a server that is away ends it. */
  async #take<Answer>(send: (call: ServerLink['call']) => Promise<Answer>): Promise<Answer> {
    if (this.#gone) throw this.#gone
    try {
      return await send(this.#link.call)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      throw new RefusedError([error.message, error.problem.next].filter(Boolean).join(' '), { cause: error })
    }
  }

  async #stop(threadId: ThreadId): Promise<void> {
    await this.#posted
    try {
      await this.#link.call((api) => api.stopTurn(threadId))
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      this.#onNote(error.message)
    }
  }

  #outcomeOf(runId: RunId): Promise<TurnOutcome> {
    return this.#turn(runId).promise
  }

  #turn(runId: RunId): PromiseWithResolvers<TurnOutcome> {
    const known = this.#turns.get(runId)
    if (known) return known
    const turn = Promise.withResolvers<TurnOutcome>()
    turn.promise.catch(() => {}) // whoever waits for it hears it
    this.#turns.set(runId, turn)
    if (this.#gone) turn.reject(this.#gone)
    return turn
  }

  #note(event: TurnEvent): void {
    if (event.type === 'approval-request' && event.hidden) this.#hidden.add(event.approvalId)
    if (event.type === 'turn-start' && event.depth === 0) this.#turnId = event.runId
  }

  async #deliver(event: TurnEvent): Promise<void> {
    this.#note(event)
    this.#onEvent(event)
    if (event.type === 'connection-request')
      this.#onNote(
        `${event.name} needs a sign-in: run "capstan connect ${event.toolkit}" in another terminal, or open ${this.#link.url}. The turn then goes on by itself.`,
      )
    for (const messageId of messagesOf(event)) this.#steers.get(messageId)?.settle(true)
    if (event.type !== 'turn-end' || event.runId !== this.#turnId) return
    this.#turn(event.runId).resolve(event.outcome)
    // What was sent to a turn that was stopped reaches no other.
    if (event.outcome.type === 'aborted') for (const { settle } of this.#steers.values()) settle(false)
    await new Promise((resolve) => setImmediate(resolve))
  }

  #lose(why: CommandError): void {
    this.#gone = why
    this.#lost.reject(why)
    for (const { reject } of this.#turns.values()) reject(why)
    for (const { settle } of this.#steers.values()) settle(true)
  }
}

/** The messages that reached a turn with this event. */
function messagesOf(event: TurnEvent): readonly string[] {
  if (event.type !== 'message-deliver' && event.type !== 'turn-start') return []
  if (event.type === 'turn-start' && event.messageIds) return event.messageIds
  return event.messageId === undefined ? [] : [event.messageId]
}
