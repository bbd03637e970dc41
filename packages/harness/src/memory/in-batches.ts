import { setImmediate } from 'node:timers/promises'

/** A store may do its work on the thread that serves everybody: an item takes it a few milliseconds. */
const AT_ONCE = 20

/** Works on a few items at a time, and lets other work of the process run in between. Ends when the signal is aborted. */
export async function inBatches<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await setImmediate()
    signal.throwIfAborted()
    await work(items.slice(from, from + AT_ONCE))
  }
}
