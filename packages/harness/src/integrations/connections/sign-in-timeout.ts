import type { ConnectionRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Clock } from '../../turn/clock.ts'

/** A turn that waits for a sign-in costs nothing, but the person who asked for it should get an answer the next day. */
export const SIGN_IN_TIMEOUT_MS = 24 * 60 * 60 * 1000

/** One timer for all pending sign-ins, also those of an earlier process: each is given up when its time is over. */
export interface SignInTimeout {
  /** A sign-in was begun. Never throws. */
  arm(): void
  close(): void
}

/** A timer that ends sign-ins that take too long. */
export function createSignInTimeout(options: {
  readonly store: Pick<ConnectionStore, 'pending'>
  readonly clock: Clock
  readonly timeoutMs: number
  readonly giveUp: (connection: ConnectionRow) => Promise<unknown>
}): SignInTimeout {
  const { store, clock, timeoutMs, giveUp } = options
  let disarm = (): void => {}
  let isClosed = false

  const dueAt = ({ updatedAt }: ConnectionRow): number => updatedAt + timeoutMs

  async function earliest(): Promise<ConnectionRow | undefined> {
    const [first] = (await store.pending()).toSorted((a, b) => a.updatedAt - b.updatedAt)
    return first
  }

  async function giveUpDue(): Promise<void> {
    // Read again each time: while one is given up, the next may be finished.
    let next = await earliest()
    for (; next && dueAt(next) <= clock.now(); next = await earliest()) await giveUp(next)
    disarm()
    if (!isClosed && next) disarm = clock.after(dueAt(next) - clock.now(), arm)
  }

  // After a read that failed, the next sign-in that is begun arms the timer again.
  function arm(): void {
    if (!isClosed) giveUpDue().catch(() => {})
  }

  return {
    arm,
    close() {
      isClosed = true
      disarm()
    },
  }
}
