import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { ModelClient } from '../../models/model-client.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Clock } from '../../turn/clock.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Message } from '../../turn/message/message.ts'
import type { Agent } from '../agent.ts'
import { createAgent } from '../agent.ts'
import type { AgentOptions } from '../agent-options.ts'
import type { Announce, OpenThread, Storage } from './open-thread.ts'
import { openInMemory, openStored } from './open-thread.ts'

interface ThreadMemoryOptions {
  readonly threadId: ThreadId
  readonly agent: AgentOptions
  readonly messages: readonly Message[] | undefined
  readonly storage: Storage | undefined
  readonly clock: Clock
  readonly announce: Announce
  /** Called after a thread is read from its store. */
  readonly onOpened: (opened: OpenThread) => void
}

/**
 * Holds the thread in memory. It is opened at the first turn, when the tools are known; its prompt never changes after
 * that. A stored thread that was released is read again.
 */
export class ThreadMemory {
  readonly #options: ThreadMemoryOptions
  #agentOptions: AgentOptions
  /** Created with the session to check its options, and used when the thread is opened. */
  #agent: Agent | undefined
  #current: OpenThread | undefined
  #isReady = false
  /** The last event that was announced, or was stored before the thread was opened. */
  #announcedUpTo: number | undefined

  /** Throws `ConfigurationError` for invalid options. */
  constructor(options: ThreadMemoryOptions) {
    this.#options = options
    this.#agentOptions = options.agent
    this.#agent = createAgent('session', options.agent)
  }

  /** The open thread. Undefined before the first `open` and after `release`. */
  get current(): OpenThread | undefined {
    return this.#current
  }

  get isStored(): boolean {
    return this.#options.storage !== undefined
  }

  /** Opens the thread, or returns it when it is open. */
  open(): MaybePromise<OpenThread> {
    if (this.#current) return this.#current
    const { storage, agent } = this.#options
    if (storage) return this.#openStored(storage)
    const preparing = this.#isReady ? undefined : agent.ready?.()
    this.#isReady = true
    return preparing ? preparing.then(() => this.open()) : this.#openInMemory()
  }

  #openInMemory(): OpenThread {
    const { threadId, messages, announce } = this.#options
    const agent = this.#agent ?? createAgent('session', this.#agentOptions)
    this.#agent = undefined
    this.#current = openInMemory(threadId, agent, messages, announce)
    return this.#current
  }

  async #openStored(storage: Storage): Promise<OpenThread> {
    const { threadId, clock, onOpened } = this.#options
    this.#agent = undefined
    const options = this.#agentOptions
    const announce = (event: TurnEvent) => this.#announce(event)
    const opened = await openStored(threadId, options, storage, announce, clock, (records) =>
      this.#announceMissed(records, storage),
    )
    if (options !== this.#agentOptions) return this.open() // another model was chosen meanwhile
    if (this.#current) return this.#current // the first to finish wins
    this.#current = opened
    onOpened(opened)
    return opened
  }

  #announce(event: TurnEvent): void | Promise<void> {
    this.#announcedUpTo = event.seq
    return this.#options.announce(event)
  }

  /** Announces the events that were stored before the thread was released, and that no watcher has got. */
  async #announceMissed(records: readonly LedgerRecord[], { store: { ledger } }: Storage): Promise<void> {
    const events = records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
    const last = events.at(-1)?.seq ?? 0
    this.#announcedUpTo ??= last
    if (this.#announcedUpTo >= last) return
    if (ledger.announceAfterSync) await ledger.sync()
    for (const event of events) if (event.seq > this.#announcedUpTo) await this.#announce(event)
  }

  /** Drops a stored thread whose memory may differ from its records. The next turn reads the records again. */
  release(why?: Error): void {
    this.#current?.stored?.recorder.close(why)
    if (this.isStored) this.#current = undefined
  }

  /** Drops the past of an interrupted turn after that turn has ended. */
  forgetPast(opened: OpenThread): void {
    const { stored } = opened
    if (this.#current !== opened || !stored) return
    const { conversations, announced, archive, deliveries, takenBy, done } = stored.state
    const state = { conversations, announced, archive, deliveries, takenBy, done, queued: [] }
    this.#current = { ...opened, stored: { ...stored, state } }
  }

  /** Uses another model from the next turn on. */
  useModel(model: ModelClient | string): void {
    this.#agentOptions = { ...this.#agentOptions, model }
    this.#agent = createAgent('session', this.#agentOptions)
    if (this.#current && !this.isStored) this.#current = { ...this.#current, agent: this.#agent }
    else this.release()
  }
}
