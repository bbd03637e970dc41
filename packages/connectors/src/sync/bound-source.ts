import type { SyncSource } from '@capstan/harness/memory'
import { untilAborted } from '../until-aborted.ts'
import { boundEntry, boundPage } from './bound-page.ts'

/** A source that others wrote: what it answers is bounded, and an aborted request ends at once. */
export function boundSource(source: SyncSource): SyncSource {
  const ask = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return untilAborted(work(), signal)
  }
  return {
    kind: source.kind,
    isNewestFirst: source.isNewestFirst === true,
    ...(source.key !== undefined && { key: source.key }),
    page: async (cursor, signal) => boundPage(await ask(signal, () => source.page(cursor, signal))),
    ...(source.expect && { expect: (signal) => ask(signal, () => source.expect!(signal)) }),
    ...(source.read && {
      async read(entry, signal) {
        const whole = await ask(signal, () => source.read!(entry, signal))
        return whole && boundEntry({ ...whole, id: entry.id })
      },
    }),
  }
}
