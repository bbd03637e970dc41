import { statfs } from 'node:fs/promises'
import { StoreError } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'

/** Knows whether the disk of the data folder takes anything. */
export interface DiskWatch {
  readonly isFull: boolean
  /** Looks at the disk now. Never throws. */
  check(): Promise<boolean>
  /** Calls the listener when the disk has become full, and when there is room again. */
  onChange(listener: (isFull: boolean) => void): void
  /** The same store; what it says about the disk is known here at once. */
  watch(store: Store): Store
  stop(): void
}

export interface DiskWatchOptions {
  readonly folder: string
  readonly clock: Clock
}

/** With less than this, the next message may not fit. */
const LEAST_BYTES = 1024 * 1024
const LOOK_EVERY_MS = 15_000
/** While it is full, a person waits for the page to notice the room that they made. */
const LOOK_AGAIN_MS = 1_000
/** A quota may be used up while the disk has room: then only a write can tell. */
const BELIEVE_STORE_MS = 5_000

export function createDiskWatch({ folder, clock }: DiskWatchOptions): DiskWatch {
  const listeners: ((isFull: boolean) => void)[] = []
  let isFull = false
  let refusedAt = -Infinity
  let isStopped = false
  let disarm = (): void => {}

  function set(value: boolean): void {
    if (value === isFull || isStopped) return
    isFull = value
    for (const listener of listeners) listener(value)
    arm()
  }

  function arm(): void {
    disarm()
    if (!isStopped) disarm = clock.after(isFull ? LOOK_AGAIN_MS : LOOK_EVERY_MS, () => void check().then(arm))
  }

  async function check(): Promise<boolean> {
    const wasRefused = clock.monotonic() - refusedAt < BELIEVE_STORE_MS
    set(wasRefused || (await freeBytes(folder)) < LEAST_BYTES)
    return isFull
  }

  function note(error: unknown): void {
    if (!(error instanceof StoreError) || error.kind !== 'full') return
    refusedAt = clock.monotonic()
    set(true)
  }

  arm()
  return {
    get isFull() {
      return isFull
    },
    check,
    onChange: (listener) => void listeners.push(listener),
    watch: (store) => ({
      ...store,
      ledger: noticing(store.ledger, note),
      threads: noticing(store.threads, note),
      approvals: noticing(store.approvals, note),
    }),
    stop() {
      isStopped = true
      disarm()
    },
  }
}

/** A disk that cannot be asked counts as one with room: the store tells when it has none. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

/** A port whose errors are noted, and thrown as before. */
function noticing<Port extends object>(port: Port, note: (error: unknown) => void): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): unknown => {
        try {
          const result: unknown = Reflect.apply(method, target, args)
          if (result instanceof Promise) result.catch(note)
          return result
        } catch (error) {
          note(error)
          throw error
        }
      }
    },
  })
}
