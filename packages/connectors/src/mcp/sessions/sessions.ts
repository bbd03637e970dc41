import type { Clock } from '@capstan/harness'
import type { Session } from './open-session.ts'

/** Open lines, one per key, opened when somebody needs one and closed when nobody has for a while. */
export interface Sessions {
  /** Runs `work` on the open session of this key, or on a new one. */
  use<T>(key: string, open: OpenLine, work: (session: Session) => Promise<T>): Promise<T>
  /** Whether one is open at the moment. */
  peek(key: string): Session | undefined
  /** Closes it, if there is one; with `only`, if it is that one. */
  drop(key: string, only?: Session): Promise<void>
  close(): Promise<void>
}

/** The signal is aborted when nobody wants it any more. */
type OpenLine = (signal: AbortSignal) => Promise<Session>

interface Line {
  readonly opening: Promise<Session>
  readonly abandon: AbortController
  session?: Session
  users: number
  disarm: () => void
}

export function createSessions({ clock, idleMs }: { clock: Clock; idleMs: number }): Sessions {
  const lines = new Map<string, Line>()
  let isClosed = false

  function lineFor(key: string, open: OpenLine): Line {
    const existing = lines.get(key)
    if (existing && existing.session?.isOpen !== false) return existing
    const abandon = new AbortController()
    const line: Line = { opening: open(abandon.signal), abandon, users: 0, disarm: () => {} }
    lines.set(key, line)
    line.opening.then(
      (session) => {
        line.session = session
      },
      () => {
        if (lines.get(key) === line) lines.delete(key)
      },
    )
    return line
  }

  function leave(key: string, line: Line): void {
    line.users -= 1
    if (line.users > 0) return
    line.session?.hold(false)
    if (lines.get(key) === line) line.disarm = clock.after(idleMs, () => void end(key, line))
  }

  async function end(key: string, line: Line): Promise<void> {
    line.disarm()
    if (lines.get(key) === line) lines.delete(key)
    if (!line.session) line.abandon.abort(new Error('the connector is closed'))
    const session = await line.opening.catch(() => undefined)
    await session?.close()
  }

  return {
    async use(key, open, work) {
      if (isClosed) throw new Error('the connector is closed')
      const line = lineFor(key, open)
      line.users += 1
      line.disarm()
      try {
        const session = await line.opening
        session.hold(true)
        return await work(session)
      } finally {
        leave(key, line)
      }
    },
    peek: (key) => {
      const session = lines.get(key)?.session
      return session?.isOpen === true ? session : undefined
    },
    async drop(key, only) {
      const line = lines.get(key)
      if (line && (only === undefined || line.session === only)) await end(key, line)
    },
    async close() {
      isClosed = true
      await Promise.all([...lines].map(([key, line]) => end(key, line)))
    },
  }
}
