import type { Clock } from '@capstan/harness/seams'
import type { Session } from './session.ts'

/** Open sessions, one per key. A session is opened on first use and closed after it was idle for a while. */
export interface SessionPool {
  /** Runs `work` on the open session of this key, or on a new one. */
  use<T>(key: string, open: OpenSession, work: (session: Session) => Promise<T>): Promise<T>
  /** The session of this key, if it is open now. */
  peek(key: string): Session | undefined
  /** The next use opens a new session. The one of now is closed when nobody uses it any more. */
  retire(key: string): void
  /** Closes the session of this key, if there is one; with `only`, if it is that one. */
  drop(key: string, only?: Session): Promise<void>
  close(): Promise<void>
}

/** The signal is aborted when the session is no longer needed. */
type OpenSession = (signal: AbortSignal) => Promise<Session>

interface Entry {
  readonly opening: Promise<Session>
  readonly abandon: AbortController
  session?: Session
  users: number
  disarm: () => void
}

export function createSessionPool({ clock, idleMs }: { clock: Clock; idleMs: number }): SessionPool {
  const entries = new Map<string, Entry>()
  let isClosed = false

  function entryFor(key: string, open: OpenSession): Entry {
    const existing = entries.get(key)
    if (existing && existing.session?.isOpen !== false) return existing
    const abandon = new AbortController()
    const entry: Entry = { opening: open(abandon.signal), abandon, users: 0, disarm: () => {} }
    entries.set(key, entry)
    entry.opening.then(
      (session) => {
        entry.session = session
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  function leave(key: string, entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    entry.session?.hold(false)
    if (entries.get(key) === entry) entry.disarm = clock.after(idleMs, () => void end(key, entry))
    else void end(key, entry)
  }

  async function end(key: string, entry: Entry): Promise<void> {
    entry.disarm()
    if (entries.get(key) === entry) entries.delete(key)
    if (!entry.session) entry.abandon.abort(new Error('the connector is closed'))
    const session = await entry.opening.catch(() => undefined)
    await session?.close()
  }

  return {
    async use(key, open, work) {
      if (isClosed) throw new Error('the connector is closed')
      const entry = entryFor(key, open)
      entry.users += 1
      entry.disarm()
      try {
        const session = await entry.opening
        session.hold(true)
        return await work(session)
      } finally {
        leave(key, entry)
      }
    },
    peek: (key) => {
      const session = entries.get(key)?.session
      return session?.isOpen === true ? session : undefined
    },
    retire(key) {
      const entry = entries.get(key)
      if (!entry) return
      entries.delete(key)
      if (entry.users === 0) void end(key, entry)
    },
    async drop(key, only) {
      const entry = entries.get(key)
      if (entry && (only === undefined || entry.session === only)) await end(key, entry)
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(([key, entry]) => end(key, entry)))
    },
  }
}
