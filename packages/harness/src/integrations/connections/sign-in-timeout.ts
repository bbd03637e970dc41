import type { ConnectionRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Clock } from '../../turn/clock.ts'

/** A turn that waits for a sign-in costs nothing, but whoever asked for it wants to hear something the next day. */
export const SIGN_IN_TIMEOUT_MS = 24 * 60 * 60 * 1000

/** One timer for all sign-ins: each is given up when nobody came for it, also when it was begun before this process. */
export interface SignInLapse {
  /** One was begun, or begun anew. Never throws. */
  arm(): void
  close(): void
}

export function createSignInLapse(options: {
  readonly store: Pick<ConnectionStore, 'pending'>
  readonly clock: Clock
  readonly timeoutMs: number
  readonly giveUp: (connection: ConnectionRow) => Promise<unknown>
}): SignInLapse {
  const { store, clock, timeoutMs, giveUp } = options
  let disarm = (): void => {}
  let isClosed = false

  const dueAt = ({ updatedAt }: ConnectionRow): number => updatedAt + timeoutMs

  async function earliest(): Promise<ConnectionRow | undefined> {
    const [first] = (await store.pending()).toSorted((a, b) => a.updatedAt - b.updatedAt)
    return first
  }

  async function lapse(): Promise<void> {
    // Read anew each time: while one is given up, somebody may come for the next.
    let next = await earliest()
    for (; next && dueAt(next) <= clock.now(); next = await earliest()) await giveUp(next)
    disarm()
    if (!isClosed && next) disarm = clock.after(dueAt(next) - clock.now(), arm)
  }

  // A store that cannot be read now is asked again when the next sign-in is begun.
  function arm(): void {
    if (!isClosed) lapse().catch(() => {})
  }

  return {
    arm,
    close() {
      isClosed = true
      disarm()
    },
  }
}
