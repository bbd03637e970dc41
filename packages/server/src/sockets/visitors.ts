import type { Auth, Caller } from '../auth/auth.ts'

const CHECK_MS = 60_000

/** An open socket or event stream. */
interface Visitor {
  readonly caller: Caller
  /** Called when the login ends or the server stops. */
  leave(): void
}

/** The open sockets and streams of all users. Limits them per user and closes them when the login ends. */
export interface Visitors {
  /** Undefined when the user has too many. Call the result when the socket or stream has closed. */
  admit(visitor: Visitor): (() => void) | undefined
  close(): void
}

export function createVisitors(auth: Auth, maxPerUser: number): Visitors {
  const here = new Map<string, Set<Visitor>>()

  function leaveWhere(isUnwelcome: (caller: Caller) => boolean): void {
    for (const visitors of here.values())
      for (const visitor of visitors) if (isUnwelcome(visitor.caller)) visitor.leave()
  }

  const unsubscribe = auth.onLogOut((login) => leaveWhere((caller) => caller.login === login))
  // Logins also expire.
  const timer = setInterval(
    () => leaveWhere(({ login }) => login !== undefined && !auth.isGood(login)),
    CHECK_MS,
  )
  timer.unref()

  return {
    admit(visitor) {
      const { userId } = visitor.caller
      const visitors = here.get(userId) ?? new Set()
      if (visitors.size >= maxPerUser) return undefined
      here.set(userId, visitors.add(visitor))
      return () => {
        visitors.delete(visitor)
        if (visitors.size === 0 && here.get(userId) === visitors) here.delete(userId)
      }
    },
    close() {
      unsubscribe()
      clearInterval(timer)
      leaveWhere(() => true)
    },
  }
}
