import type { Placement } from './placement.ts'
import type { Population } from './population.ts'
import { createRouter, keyOfThread, toThreadId } from './routing.ts'

/** What became of looking threads up by nothing but their id. */
export interface Lookups {
  readonly threads: number
  /** Threads that were looked for in another shard than that of their user. */
  readonly wrong: number
}

/** Makes the id of every thread, and finds its shard by it. */
export function findThreads({ keys, threads }: Population, { map, places }: Placement): Lookups {
  const route = createRouter(map)
  let made = 0
  let wrong = 0
  for (let rank = 0; rank < keys.length; rank++)
    for (let n = 0; n < threads[rank]!; n++) {
      const id = toThreadId(keys[rank]!, (made++).toString(36).padStart(29, '0'))
      const key = keyOfThread(id)
      if (key === undefined || route(key) !== places[rank]) wrong++
    }
  return { threads: made, wrong }
}
