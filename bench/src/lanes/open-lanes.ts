import { usesPostgres } from '../subjects/catalog.ts'
import type { SubjectName } from '../subjects/catalog.ts'
import { startBenchPostgres } from './bench-postgres.ts'
import type { BenchPostgres } from './bench-postgres.ts'
import { openLane } from './lane.ts'
import type { Lane } from './lane.ts'

/** Reports that a subject did not follow the script, or did not start. */
export type Fail = (subject: string, measure: string, problems: readonly string[]) => void

/** The lanes of a run. */
export interface OpenLanes {
  readonly lanes: readonly Lane[]
  /** Ends them, and the server of those on PostgreSQL. */
  readonly close: () => Promise<void>
}

/** Opens a lane for each subject. One that does not start is reported and left out. */
export async function openLanes(names: readonly SubjectName[], fail: Fail): Promise<OpenLanes> {
  const lanes: Lane[] = []
  let server: Promise<BenchPostgres> | undefined
  const urlFor = async (name: SubjectName): Promise<string | undefined> => {
    if (!usesPostgres(name)) return undefined
    server ??= startBenchPostgres()
    return (await server).createDatabase(name)
  }
  for (const name of names) {
    try {
      lanes.push(await openLane(name, await urlFor(name)))
    } catch (error) {
      fail(name, 'start', [reasonOf(error)])
    }
  }
  return {
    lanes,
    async close() {
      for (const lane of lanes) await lane.close()
      const running = await server?.catch(() => undefined)
      await running?.close()
    },
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
