import type { AuditLine } from '@capstan/protocol'
import { HOLDS_AUDIT } from '../ledger/page-body.ts'

/** A page as it was found. Nothing in it is trusted. */
export interface FoundPage {
  readonly id: number
  readonly kinds: number
  readonly bytes: Uint8Array
}

/** Names a row by what can be read of it. */
export function describePage({ id, kinds, bytes }: FoundPage): string {
  try {
    const records = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>[]
    const at = records.map((record) => record['at']).find((value) => typeof value === 'number')
    const when = at === undefined ? '' : ` of ${new Date(at).toISOString()}`
    const what =
      kinds & HOLDS_AUDIT ? String(records[0]?.['action']) : records.map(nameOf).filter(Boolean).join(', ')
    return `Row ${id}${when}${what ? ` (${what.slice(0, 120)})` : ''}`
  } catch {
    return `Row ${id}`
  }
}

function nameOf(record: Readonly<Record<string, unknown>>): string {
  const result = record['result'] as { readonly tool?: unknown } | undefined
  const tool = record['tool'] ?? result?.tool
  return typeof tool === 'string' ? `call of ${tool}` : ''
}

/** Breaks that the store noticed itself while it wrote. */
export function breaksIn({ kinds, bytes }: FoundPage): readonly AuditLine[] {
  if ((kinds & HOLDS_AUDIT) === 0) return []
  try {
    const lines = JSON.parse(Buffer.from(bytes).toString()) as readonly AuditLine[]
    return lines.filter(({ action }) => action === 'chain-break')
  } catch {
    return []
  }
}

/** A noticed break in plain words. */
export const describeBreak = ({ at, facts }: AuditLine): string =>
  `On ${new Date(at).toISOString()} ${BREAKS.get(facts?.['why']) ?? 'the end of the log was not as it was left'}: ` +
  `row ${String(facts?.['noted'])} was the last one known, and row ${String(facts?.['found'])} the last one found. ` +
  'Rows up to here may have been changed or removed.'

const BREAKS: ReadonlyMap<unknown, string> = new Map([
  ['file-replaced', 'the file was gone or damaged and was replaced'],
  ['key-lost', 'seal.key was missing'],
  ['start-lost', 'the start of the chain was missing'],
  ['moved', 'the log was moved from a data folder, where it was not intact'],
])
