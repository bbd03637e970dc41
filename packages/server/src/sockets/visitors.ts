import type { Auth, Caller } from '../auth/auth.ts'

const CHECK_MS = 60_000

/** Somebody with an open wire: a socket or a stream. */
interface Visitor {
  readonly caller: Caller
  /** Not welcome any more, or the server stops. */
  leave(): void
}

/** Who is here, so that nobody has too many wires and nobody stays who was logged out. */
export interface Visitors {
  /** Undefined when this user has too many. The result is called when the visitor has left. */
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
  // Logins also end by themselves.
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
