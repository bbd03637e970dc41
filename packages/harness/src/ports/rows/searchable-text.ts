import type { RunId } from '@capstan/protocol'
import { textOf } from '../../turn/message/message.ts'
import type { LedgerRecord } from '../ledger.ts'

/**
 * The text of a record that a search finds: questions and answers of turns. Undefined for every other record, and for
 * those of sub-agents. `isTurn` is asked only for records that do not hold the depth of their run.
 */
export function searchableText(record: LedgerRecord, isTurn: (runId: RunId) => boolean): string | undefined {
  if (record.type === 'run-start') return record.run.depth === 0 ? record.run.text : undefined
  if (record.type === 'run-end') return isTurn(record.runId) ? record.outcome.text : undefined
  if (record.type !== 'message' || record.message.role !== 'user' || !record.message.delivery)
    return undefined
  return isTurn(record.runId) ? textOf(record.message) : undefined
}
