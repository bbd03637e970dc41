import type { ThreadId } from '@capstan/protocol'
import type { ModelClient } from '../../models/model-client.ts'
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
    const { threadId, announce, clock, onOpened } = this.#options
    this.#agent = undefined
    const options = this.#agentOptions
    const opened = await openStored(threadId, options, storage, announce, clock)
    if (options !== this.#agentOptions) return this.open() // another model was chosen meanwhile
    if (this.#current) return this.#current // the first to finish wins
    this.#current = opened
    onOpened(opened)
    return opened
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
