import type { ThreadId, ThreadRow } from '@capstan/protocol'
import type { ModelClient } from '../../models/model-client.ts'
import type { Clock } from '../../turn/clock.ts'
import { ConfigurationError, StoppingError } from '../../turn/errors.ts'
import type { Session, SessionHost } from '../session/session.ts'

interface SessionPoolOptions {
  readonly clock: Clock
  /** Undefined for a thread that is unknown, or somebody else's. */
  readonly find: (id: string) => Promise<ThreadRow | undefined>
  /** `model`: what the thread was switched to. */
  readonly create: (thread: ThreadRow, host: SessionHost, model: ModelClient | string | undefined) => Session
}

/** The sessions of open threads: the same session for the same thread, kept in memory only while it works. */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #sessions = new Map<ThreadId, WeakRef<Session>>()
  readonly #collected = new FinalizationRegistry<ThreadId>((id) => {
    if (!this.#sessions.get(id)?.deref()) this.#sessions.delete(id)
  })
  readonly #busy = new Map<ThreadId, Session>()
  readonly #models = new Map<ThreadId, ModelClient | string>()
  #isStopping = false

  constructor(options: SessionPoolOptions) {
    this.#options = options
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Throws once `stop` was called. */
  admit(): void {
    if (this.#isStopping) throw new StoppingError()
  }

  /** Those that run a turn now. */
  get running(): readonly Session[] {
    return [...this.#busy.values()].filter(({ state }) => state === 'running')
  }

  isBusy(id: ThreadId): boolean {
    return this.#busy.has(id)
  }

  /** The session of a thread that is open already. */
  peek(id: ThreadId): Session | undefined {
    return this.#sessions.get(id)?.deref()
  }

  async open(id: string): Promise<Session> {
    const open = this.peek(id as ThreadId)
    if (open) return open
    const thread = await this.#options.find(id)
    if (!thread) throw new ConfigurationError('threadId', `there is no thread "${id}"`)
    return this.peek(thread.id) ?? this.#create(thread)
  }

  #create(thread: ThreadRow): Session {
    const { id } = thread
    const host: SessionHost = {
      admit: () => this.admit(),
      track: (work) => {
        this.#busy.set(id, session)
        return work.finally(() => {
          if (!session.isBusy) this.#busy.delete(id)
        })
      },
    }
    const inner = this.#options.create(thread, host, this.#models.get(id))
    const session: Session = Object.defineProperties({} as Session, {
      ...Object.getOwnPropertyDescriptors(inner),
      useModel: {
        value: (model: ModelClient | string) => {
          inner.useModel(model)
          this.#models.set(id, model)
        },
      },
    })
    this.#sessions.set(id, new WeakRef(session))
    this.#collected.register(session, id)
    return session
  }

  /** Stops its turn first. */
  async remove(id: ThreadId): Promise<void> {
    const session = this.peek(id)
    session?.stop()
    await session?.idle()
    this.#sessions.delete(id)
    this.#busy.delete(id)
    this.#models.delete(id)
  }

  /** Nothing new begins; running turns get the grace time; the rest is left as it is recorded. */
  async stop(graceMs: number, idle: () => Promise<void>): Promise<void> {
    this.#isStopping = true
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.clock.after(graceMs, resolve)
    await Promise.race([idle(), isOver])
    cancel()
    for (const session of this.#busy.values()) session.abandon()
    await idle()
  }
}
