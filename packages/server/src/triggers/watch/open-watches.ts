import type { Jobs } from '../../jobs/jobs.ts'
import type { SourceStore } from '../source-store.ts'
import type { StoredSource } from '../stored-source.ts'
import type { WatchHandlerParts } from './watch-handler.ts'
import { createWatchHandler } from './watch-handler.ts'
import { toJson, toWatchId, WATCH_JOB } from './watch-state.ts'

/** The jobs that listen to the apps of sources. */
export interface Watches {
  /** Adds what is missing, because a process was killed after it had stored a source. */
  start(): Promise<void>
  /** A source was created. Does nothing for one that has no app to listen to. */
  begin(userId: string, source: StoredSource): Promise<void>
  /** A source was removed. */
  end(userId: string, source: StoredSource): Promise<void>
}

export function openWatches(
  parts: Omit<WatchHandlerParts, 'sources'> & {
    readonly sources: SourceStore
    readonly jobs: Jobs
    readonly onProblem: (problem: unknown) => void
  },
): Watches {
  const { jobs, sources, integrations, clock, onProblem } = parts
  jobs.register(createWatchHandler(parts))

  /** An account that was connected again is listened to at once. */
  async function wake(userId: string, connectionId: string): Promise<void> {
    for (const source of sources.of(userId).sources)
      if (source.kind === 'resource' && source.connectionId === connectionId)
        await jobs.change(userId, toWatchId(source.id), { status: 'waiting', nextAt: clock.now() }, [
          'waiting',
        ])
  }
  integrations.bus.subscribe((event) => {
    if (event.type === 'connections-changed' && event.connection.status === 'active')
      wake(event.userId, event.connection.id).catch(onProblem)
  })

  async function begin(userId: string, { id, kind, name }: StoredSource): Promise<void> {
    if (kind !== 'resource') return
    const job = { id: toWatchId(id), userId, kind: WATCH_JOB, key: toWatchId(id) }
    await jobs.add({ ...job, title: `Listen: ${name}`, body: toJson({ sourceId: id }), nextAt: clock.now() })
  }

  return {
    begin,
    async start() {
      for (const userId of sources.users())
        for (const source of sources.of(userId).sources) await begin(userId, source)
    },
    async end(userId, { id, kind }) {
      if (kind === 'resource') await jobs.remove(userId, toWatchId(id))
    },
  }
}
