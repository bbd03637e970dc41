import { openPostgresStore } from '@capstan/stores/postgres'
import type { Finding } from '../counts.ts'
import type { Line } from '../journal.ts'
import { judgeEvidence, readRecords } from '../judge-evidence.ts'
import type { Scenario } from '../scenario.ts'
import type { Effect } from '../services.ts'
import type { RoundDatabase } from './database-server.ts'
import { KEY } from './database-server.ts'
import { countLateEffects, judgeMoves } from './judge-moves.ts'
import type { Away, Strike, Takeover } from './takeover-times.ts'
import { findTakeovers } from './takeover-times.ts'

/** What nodes did beside the counts. */
export interface NodeFacts {
  /** Each turn whose node was killed or frozen, and that another one went on with. */
  readonly takeovers: Readonly<Record<Strike['kind'], readonly Takeover[]>>
  /** See `countLateEffects`. */
  readonly lateEffects: number
}

interface NodeEvidence {
  readonly scenario: Scenario
  readonly lines: readonly Line[]
  readonly effects: readonly Effect[]
  readonly strikes: readonly Strike[]
  readonly aways: readonly Away[]
}

/** Compares the database with the real effects, with what the person received, and with who owned which thread. */
export async function judgeNodes(
  database: RoundDatabase,
  { scenario, lines, effects, strikes, aways }: NodeEvidence,
): Promise<NodeFacts & { readonly findings: readonly Finding[] }> {
  const store = await openPostgresStore({ url: database.url, env: { CAPSTAN_SECRET_KEY: KEY } })
  try {
    const records = await readRecords(store, scenario)
    const log = await database.readLog()
    const takeoversOf = (kind: Strike['kind']) =>
      strikes.filter((one) => one.kind === kind).flatMap((one) => findTakeovers(log, one, aways))
    return {
      findings: [
        ...(await judgeEvidence({ scenario, lines, isLossTold: false, effects, records, store })),
        ...judgeMoves(log, effects),
      ],
      takeovers: { kill: takeoversOf('kill'), freeze: takeoversOf('freeze') },
      lateEffects: countLateEffects(log, effects),
    }
  } finally {
    await store.close()
  }
}
