import type { ThreadId, ThreadRow } from '@capstan/protocol'
import type { ModelClient } from '../../models/model-client.ts'
import type { Clock } from '../../turn/clock.ts'
import { ConfigurationError, HeldError, StoppingError } from '../../turn/errors.ts'
import type { Session, SessionHost } from '../session/session.ts'

interface SessionPoolOptions {
  readonly clock: Clock
  /** Undefined for an unknown thread or a thread of another user. */
  readonly find: (id: string) => Promise<ThreadRow | undefined>
  /** `model`: the model that `useModel` chose for the thread. */
  readonly create: (thread: ThreadRow, host: SessionHost, model: ModelClient | string | undefined) => Session
}

/** Holds one session per open thread. Only a busy session is kept in memory; an idle one may be collected. */
export class SessionPool {
  readonly #options: SessionPoolOptions
  readonly #sessions = new Map<ThreadId, WeakRef<Session>>()
  readonly #collected = new FinalizationRegistry<ThreadId>((id) => {
    if (!this.#sessions.get(id)?.deref()) this.#sessions.delete(id)
  })
  readonly #busy = new Map<ThreadId, Session>()
  /** Whether the thread of a session was removed, or is run by another session. */
  readonly #lives = new WeakMap<Session, { isRemoved: boolean; isDropped: boolean }>()
  readonly #models = new Map<ThreadId, ModelClient | string>()
  #isStopping = false
  #isHeld = false

  constructor(options: SessionPoolOptions) {
    this.#options = options
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Throws `StoppingError` after `stop`, and `HeldError` between `hold` and `release`. */
  admit(): void {
    if (this.#isStopping) throw new StoppingError()
    if (this.#isHeld) throw new HeldError()
  }

  /** Stops every running turn. None starts or resumes before `release`. Parked turns stay parked. */
  async hold(idle: () => Promise<void>): Promise<void> {
    this.#isHeld = true
    for (const session of this.running) session.stop()
    await idle()
  }

  release(): void {
    this.#isHeld = false
  }

  /** The sessions that are running a turn. */
  get running(): readonly Session[] {
    return [...this.#busy.values()].filter(({ state }) => state === 'running')
  }

  /** Whether a thread is not open, or open without a turn. */
  isIdle(id: ThreadId): boolean {
    return (this.peek(id)?.state ?? 'idle') === 'idle'
  }

  /** The session of a thread, if it is open. */
  peek(id: ThreadId): Session | undefined {
    return this.#sessions.get(id)?.deref()
  }

  /** The session of a thread. Throws `ConfigurationError` for an id that `find` does not know. */
  async open(id: string): Promise<Session> {
    const open = this.peek(id as ThreadId)
    if (open) return open
    const thread = await this.#options.find(id)
    if (!thread) throw noThread(id)
    return this.peek(thread.id) ?? this.#create(thread)
  }

  #create(thread: ThreadRow): Session {
    const { id } = thread
    const life = { isRemoved: false, isDropped: false }
    let tracked = 0
    const host: SessionHost = {
      admit: () => {
        if (life.isRemoved) throw noThread(id)
        if (life.isDropped) throw new StoppingError()
        this.admit()
      },
      track: (work) => {
        if (!life.isDropped) this.#busy.set(id, session)
        tracked++
        // Somebody may still await an outcome of a parked turn: a new session would not settle it.
        return work.finally(() => {
          if (--tracked === 0 && !session.isBusy && this.#busy.get(id) === session) this.#busy.delete(id)
        })
      },
    }
    const inner = this.#options.create(thread, host, this.#models.get(id))
    // The same session but for `useModel`. Descriptors, because a spread would freeze the getters at their first value.
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
    this.#lives.set(session, life)
    this.#collected.register(session, id)
    return session
  }

  /** Stops the thread's turn and drops its session. */
  async remove(id: ThreadId): Promise<void> {
    const session = this.peek(id)
    if (session) {
      await session.load() // so that a parked turn is known, and ends
      session.stop()
      await session.idle()
      this.#lives.get(session)!.isRemoved = true
    }
    this.#sessions.delete(id)
    this.#busy.delete(id)
    this.#models.delete(id)
  }

  /** Drops the session and leaves its turn as it is stored. The session records nothing any more. */
  drop(id: ThreadId): void {
    const session = this.peek(id)
    if (!session) return
    this.#lives.get(session)!.isDropped = true
    this.#sessions.delete(id)
    this.#busy.delete(id)
    session.abandon()
  }

  /** Refuses new work and gives running turns the grace time. The others are abandoned and stay in the ledger. */
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

const noThread = (id: string): ConfigurationError =>
  new ConfigurationError('threadId', `there is no thread "${id}"`)
