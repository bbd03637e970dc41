import type { Store } from '@capstan/harness'
import { toPrintableLine, toJsonLine } from '../terminal/printable.ts'
import { homeOf, openStore } from './open-store.ts'
import type { Shell } from '../shell/shell.ts'
import { UsageError } from '../shell/shell.ts'

/** What every command about the data folder takes. */
export const STORE_OPTIONS = { home: { type: 'string' }, json: { type: 'boolean' } } as const

/** Opens the data folder for as long as `use` takes. What there is to know of how it was opened is said first. */
export async function withStore<T>(
  shell: Shell,
  { home, readOnly }: { readonly home: string | undefined; readonly readOnly: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const store = openStore(homeOf(home, shell.env), { readOnly })
  try {
    for (const notice of store.notices) shell.stderr.write(`capstan: ${toPrintableLine(notice)}\n`)
    return await use(store)
  } finally {
    await store.close()
  }
}

export function writeLines({ stdout }: Shell, lines: readonly string[]): void {
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`)
}

/** One line of JSON for each. */
export function writeJson(shell: Shell, ...values: readonly unknown[]): void {
  writeLines(shell, values.map(toJsonLine))
}

export function toLimit(flag: string | undefined, otherwise: number): number {
  if (flag === undefined) return otherwise
  if (!/^[1-9]\d{0,5}$/.test(flag))
    throw new UsageError(`--limit is a whole number from 1 up, not "${flag}".`)
  return Number(flag)
}
