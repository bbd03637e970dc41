import type { MemorySourceRow } from '@capstan/protocol'

/** Which items are shown: all, those of an app, or those of one of its accounts. */
export interface Source {
  readonly app?: string
  readonly account?: string
}

/** An app, how many items it has, and its accounts. */
export interface AppCount {
  readonly app: string
  readonly count: number
  readonly accounts: readonly { readonly account: string; readonly count: number }[]
}

/** The apps with their counts, most items first. */
export function toAppCounts(rows: readonly MemorySourceRow[]): readonly AppCount[] {
  return [...Map.groupBy(rows, ({ app }) => app)]
    .map(([app, own]) => ({
      app,
      count: sumOf(own),
      accounts: own.flatMap(({ account, count }) => (account === undefined ? [] : [{ account, count }])),
    }))
    .toSorted((a, b) => b.count - a.count || (a.app < b.app ? -1 : 1))
}

/** How many items a source has. */
export const countOf = (rows: readonly MemorySourceRow[], { app, account }: Source): number =>
  sumOf(
    rows.filter(
      (row) => (app === undefined || row.app === app) && (account === undefined || row.account === account),
    ),
  )

const sumOf = (rows: readonly MemorySourceRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** The same text for the same source. */
export const keyOf = ({ app, account }: Source): string => JSON.stringify([app, account])
