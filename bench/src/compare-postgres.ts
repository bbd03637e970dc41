import { toMultiples } from './compare-ledger.ts'
import type { Cost, Multiples } from './compare-ledger.ts'
import { durabilityOf, usesPostgres } from './subjects/catalog.ts'

/** A subject on the PostgreSQL server of the run. */
export interface PostgresRow {
  /** When a step is stored, and what a commit waits for. */
  readonly durability: string
  /** Its cost as a multiple of `capstan-postgres`. */
  readonly vsCapstan: Multiples
  /** The same against Capstan with a sync after each commit, if it was measured. */
  readonly vsCapstanSynced?: Multiples
}

/** Empty unless Capstan was measured on PostgreSQL. Pure. */
export function comparePostgres(costs: readonly Cost[]): Readonly<Record<string, PostgresRow>> {
  const measured = [...new Set(costs.map(({ subject }) => subject))].filter(usesPostgres)
  if (!measured.includes('capstan-postgres')) return {}
  const isSynced = measured.includes('capstan-postgres-synced')
  return Object.fromEntries(
    measured.map((subject) => [
      subject,
      {
        durability: durabilityOf(subject)!,
        vsCapstan: toMultiples(costs, subject, 'capstan-postgres'),
        ...(isSynced
          ? { vsCapstanSynced: toMultiples(costs, subject, 'capstan-postgres-synced') }
          : undefined),
      },
    ]),
  )
}
