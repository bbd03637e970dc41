import type { ConnectionRow } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Clock } from '../../turn/clock.ts'

const FIRST_MS = 500
const LONGEST_MS = 4_000
/** A link of a sign-in is good for this long. After that the service is asked less often. */
const LIVELY_MS = 600_000
const IDLE_MS = 60_000

/**
 * Asks the services about pending sign-ins, also those of an earlier process: a callback may be lost, and a person may
 * finish elsewhere. A service is asked after half a second, then less and less often, until the sign-in is settled.
 */
export interface SignInPolling {
  /** A sign-in was begun, or its link was opened again. Never throws. */
  watch(connection: Pick<ConnectionRow, 'id'>): void
  close(): void
}

/** Polling that uses `isPending` to ask. When that rejects, it is tried again later. */
export function createSignInPolling(options: {
  readonly store: Pick<ConnectionStore, 'pending'>
  readonly clock: Clock
  /** Asks the service, and answers whether the sign-in is still open. */
  readonly isPending: (connectionId: string) => Promise<boolean>
}): SignInPolling {
  const { store, clock, isPending } = options
  const cancels = new Map<string, () => void>()
  let isClosed = false

  function schedule(id: string, waitMs: number, since: number): void {
    cancels.get(id)?.()
    if (!isClosed)
      cancels.set(
        id,
        clock.after(waitMs, () => void poll(id, waitMs, since)),
      )
  }

  async function poll(id: string, waitMs: number, since: number): Promise<void> {
    const mine = cancels.get(id)
    const isOpen = await isPending(id).catch(() => true)
    // It was begun again meanwhile.
    if (cancels.get(id) !== mine) return
    if (!isOpen) cancels.delete(id)
    else schedule(id, nextWait(waitMs, clock.monotonic() - since), since)
  }

  const watch: SignInPolling['watch'] = ({ id }) => schedule(id, FIRST_MS, clock.monotonic())
  // Without the store nothing is known of earlier sign-ins, and the next one is watched all the same.
  Promise.resolve()
    .then(() => store.pending())
    .then((rows) => rows.filter(({ id }) => !cancels.has(id)).forEach(watch))
    .catch(() => {})
  return {
    watch,
    close() {
      isClosed = true
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}

const nextWait = (waitMs: number, ageMs: number): number =>
  ageMs > LIVELY_MS ? IDLE_MS : Math.min(2 * waitMs, LONGEST_MS)
