import type { BeginReport } from '../../sync/sync-handler.ts'
import { isNews, toItemOccurrence, toMoreItems } from './item-occurrences.ts'
import type { Occurrence } from '../occurrence.ts'
import type { SourceStore } from '../source-store.ts'

/** Of one run of a sync, for one source. The items beyond are in memory, and one trigger says that there are more. */
const MOST_PER_RUN = 50

type Receive = (
  userId: string,
  sourceId: string,
  occurrence: Occurrence,
) => Promise<{ readonly isDuplicate: boolean } | undefined>

/** Makes triggers of the items of syncs, for the sources that are bound to their connection. */
export function createItemReports(sources: Pick<SourceStore, 'of'>, receive: Receive): BeginReport {
  return ({ userId, id: connectionId }, run) => {
    const counts = new Map<string, number>()
    return async (seen) => {
      const bound = sources
        .of(userId)
        .sources.filter((source) => source.kind === 'sync' && source.connectionId === connectionId)
      for (const source of bound) {
        for (const one of seen.filter(({ item }) => isNews(item, source, run))) {
          const count = counts.get(source.id) ?? 0
          if (count > MOST_PER_RUN) break
          const occurrence = count === MOST_PER_RUN ? toMoreItems(one) : toItemOccurrence(one)
          const received = await receive(userId, source.id, occurrence)
          // What was reported before a kill is not counted again.
          if (received?.isDuplicate === false || count === MOST_PER_RUN) counts.set(source.id, count + 1)
        }
      }
    }
  }
}
