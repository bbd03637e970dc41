import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '@capstan/harness/stores'
import type { ThreadFeeds } from './thread-feeds.ts'

/** Each watched thread is looked at this often, and not more threads than one in `PACE_MS`. */
const LOOK_MS = 3_000
const PACE_MS = 25

/**
 * With several nodes: looks now and then for events that nobody has told of, because the node that stored them died before it
 * could. The result ends it.
 */
export function lookForMissed(
  ledger: Pick<Ledger, 'lastSeq'>,
  feeds: Pick<ThreadFeeds, 'watched' | 'advance'>,
  { lookMs = LOOK_MS, paceMs = PACE_MS } = {},
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false })
  async function run(): Promise<void> {
    for (;;) {
      await pause(lookMs)
      for (const threadId of feeds.watched()) {
        await pause(paceMs)
        const seq = await Promise.resolve(ledger.lastSeq(threadId)).catch(() => undefined)
        if (seq !== undefined) feeds.advance(threadId, seq)
      }
    }
  }
  run().catch(() => {}) // it ends with the signal
  return () => ending.abort()
}
