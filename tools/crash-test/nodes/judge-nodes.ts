import { openPostgresStore } from '@capstan/stores/postgres'
import type { Finding } from '../counts.ts'
import type { Line } from '../journal.ts'
import { judgeEvidence, readRecords } from '../judge-evidence.ts'
import type { Scenario } from '../scenario.ts'
import type { Effect } from '../services.ts'
import type { RoundDatabase } from './database-server.ts'
import { KEY } from './database-server.ts'
import { countLateEffects, judgeMoves } from './judge-moves.ts'
import type { Strike } from './takeover-times.ts'
import { takeoverTimes } from './takeover-times.ts'

/** What nodes did beside the counts. */
export interface NodeFacts {
  /** For each turn whose node was killed or frozen: the milliseconds until another one went on with it. */
  readonly takeovers: Readonly<Record<Strike['kind'], readonly number[]>>
  /** See `countLateEffects`. */
  readonly lateEffects: number
}

interface NodeEvidence {
  readonly scenario: Scenario
  readonly lines: readonly Line[]
  readonly effects: readonly Effect[]
  readonly strikes: readonly Strike[]
}

/** Compares the database with the real effects, with what the person received, and with who owned which thread. */
export async function judgeNodes(
  database: RoundDatabase,
  { scenario, lines, effects, strikes }: NodeEvidence,
): Promise<NodeFacts & { readonly findings: readonly Finding[] }> {
  const store = await openPostgresStore({ url: database.url, env: { CAPSTAN_SECRET_KEY: KEY } })
  try {
    const records = await readRecords(store, scenario)
    const log = await database.readLog()
    const timesOf = (kind: Strike['kind']) =>
      strikes.filter((one) => one.kind === kind).flatMap((one) => takeoverTimes(log, one))
    return {
      findings: [
        ...(await judgeEvidence({ scenario, lines, isLossTold: false, effects, records, store })),
        ...judgeMoves(log, effects),
      ],
      takeovers: { kill: timesOf('kill'), freeze: timesOf('freeze') },
      lateEffects: countLateEffects(log, effects),
    }
  } finally {
    await store.close()
  }
}
