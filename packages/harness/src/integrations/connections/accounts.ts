import type { ConnectionRow } from '@capstan/protocol'

type Account = Pick<ConnectionRow, 'id' | 'label'>

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The one that is meant: by label, in any case, or by id; nothing said means the first, which is the default. */
export function findAccount<Kind extends Account>(
  accounts: readonly Kind[],
  asked: string | undefined,
): Kind | undefined {
  if (asked === undefined || asked.trim() === '') return accounts[0]
  return accounts.find(({ id }) => id === asked.trim()) ?? accounts.find(({ label }) => isSame(label, asked))
}

/** Labels in words, the default first. */
export function listAccounts(accounts: readonly Account[]): string {
  const labels = accounts.map(({ id, label }) => JSON.stringify(label || id))
  return labels
    .map((label, index) => (index === 0 && labels.length > 1 ? `${label} (default)` : label))
    .join(', ')
}

/** A label that none of the others has, so that a person and a model can tell them apart. */
export function toFreeLabel(label: string, others: readonly Account[]): string {
  const isTaken = (wanted: string) => others.some((other) => isSame(other.label, wanted))
  if (label === '' ? others.length === 0 : !isTaken(label)) return label
  for (let number = label === '' ? others.length + 1 : 2; ; number++) {
    const numbered = label === '' ? `account ${number}` : `${label} (${number})`
    if (!isTaken(numbered)) return numbered
  }
}
