import type { JsonObject } from '../turn/json.ts'
import type { LedgerRecord, RecordOf } from './ledger.ts'

/** A record as an earlier version of Capstan stored it. */
export type OldRecord =
  /** Now `surface-announced`. */
  | {
      readonly type: 'surface-told'
      readonly at: number
      readonly conversationId: string
      readonly told: readonly string[]
    }
  /** `intake` is now `setup`. */
  | {
      readonly type: 'run-start'
      readonly at: number
      readonly run: Omit<RecordOf<'run-start'>['run'], 'setup'> & { readonly intake: JsonObject }
    }

/**
 * The record in today's form. Every store passes what it reads through it, so that records are upgraded when they are
 * read and never rewritten. A record in today's form is returned as it is.
 */
export function upgradeRecord(stored: LedgerRecord | OldRecord): LedgerRecord {
  if (stored.type === 'surface-told') {
    const { at, conversationId, told } = stored
    return { type: 'surface-announced', at, conversationId, announced: told }
  }
  if (stored.type === 'run-start' && 'intake' in stored.run) {
    const { intake, ...run } = stored.run
    return { ...stored, run: { ...run, setup: intake } }
  }
  return stored
}
