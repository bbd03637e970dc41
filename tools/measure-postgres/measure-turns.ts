import type { Store } from '@capstan/harness/stores'
import { Client } from 'pg'
import { createFakeModelClient } from '../../bench/src/fakes/fake-model-client.ts'
import { countCommits } from '../../bench/src/measures/count-commits.ts'
import type { Counts } from '../../bench/src/measures/count-commits.ts'
import { toLoopScript } from '../../bench/src/script.ts'
import type { Loop } from '../../bench/src/script.ts'
import { createTape } from '../../bench/src/tape.ts'
import { serverTimeMs } from './processor-time.ts'
import type { Report } from './report.ts'
import { toDigits } from './report.ts'
import { runTurn } from './run-turn.ts'

/** A turn of the bench, in a new thread each time. */
interface Turns {
  readonly store: Store
  readonly client: Client
  readonly name: string
  readonly loop: Loop
  readonly effect: 'read' | 'write'
  readonly turns: number
  readonly atOnce: number
}

/** What one turn costs: commits, statements, bytes of log and tables, and processor time of the node and the server. */
export async function measureTurns(options: Turns, report: Report): Promise<void> {
  const { client, name, turns, atOnce, loop } = options
  await runTurns({ ...options, turns: atOnce * 20 })
  await client.query('CHECKPOINT')
  const statements = countStatements()
  const before = await readServer(client)
  const node = process.cpuUsage()
  const startedAt = performance.now()
  const counts = await runTurns(options)
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(node)
  const sent = statements.stop()
  const after = await readServer(client)
  const perTurn = (value: number): number => toDigits(value / turns, value / turns < 100 ? 2 : 0)
  report(`${name}, ${loop.iterations} iterations, ${atOnce} at once`, {
    commits: perTurn(counts.commits),
    syncs: perTurn(counts.syncs),
    statements: perTurn(sent),
    'bytes of log': perTurn(after.log - before.log),
    'bytes of tables': perTurn(after.tables - before.tables),
    'ms of the node': perTurn((user + system) / 1_000),
    'ms of PostgreSQL': perTurn(after.cpuMs - before.cpuMs),
    'turns a second': toDigits((1_000 * turns) / ms),
  })
}

async function runTurns({ store, loop, effect, turns, atOnce }: Turns): Promise<Counts> {
  const counts: Counts = { commits: 0, syncs: 0, records: 0 }
  const counted = countCommits(store, counts)
  let left = turns
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const model = createFakeModelClient(createTape(toLoopScript(loop), 'newest'))
      await runTurn({ store: counted, model, effect })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return counts
}

/** Counts what this process sends to PostgreSQL. */
function countStatements(): { stop(): number } {
  const query = Object.getOwnPropertyDescriptor(Client.prototype, 'query')!
  let count = 0
  Object.defineProperty(Client.prototype, 'query', {
    ...query,
    value(this: Client, ...args: unknown[]) {
      count++
      return Reflect.apply(query.value as (...given: unknown[]) => unknown, this, args)
    },
  })
  return {
    stop() {
      Object.defineProperty(Client.prototype, 'query', query)
      return count
    },
  }
}

async function readServer(client: Client): Promise<{ log: number; tables: number; cpuMs: number }> {
  const { rows } = await client.query<{ log: string; tables: string; pid: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS log, pg_backend_pid() AS pid,
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace) AS tables`,
  )
  const { log, tables, pid } = rows[0]!
  return { log: Number(log), tables: Number(tables), cpuMs: serverTimeMs(pid) }
}
