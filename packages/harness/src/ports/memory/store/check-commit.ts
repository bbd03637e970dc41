import type { RunId } from '@capstan/protocol'
import { StoreError } from '../../../turn/errors.ts'
import type { LedgerRecord } from '../../ledger.ts'
import type { Tables, ThreadTable } from './tables.ts'

/** Ids that a commit adds and that must be new. Most commits add none. */
type Brought = Set<string> | undefined

/** Throws a `StoreError` for a wrong commit, and changes nothing. A commit that passes can be applied as a whole. */
export function checkCommit(tables: Tables, thread: ThreadTable, records: readonly LedgerRecord[]): void {
  let seq = thread.events.length
  let brought: Brought
  for (const record of records) {
    switch (record.type) {
      case 'event': {
        const { event } = record
        if (event.seq !== ++seq) throw invalid(`the next event has the number ${seq}, not ${event.seq}`)
        if (event.threadId !== thread.row.id) throw strayRecord(thread)
        break
      }
      case 'call-intent':
      case 'call-result':
        refuseUnknown(tables, thread, record.runId, brought)
        break
      case 'run-start': {
        const { runId, messageId } = record.run
        brought = bring(brought, `run ${runId}`, tables.runs.has(runId))
        if (messageId !== undefined) {
          brought = bring(brought, `message ${messageId}`, thread.byMessage.has(messageId))
        }
        break
      }
      case 'run-resume':
      case 'run-park':
      case 'run-end':
        refuseUnknown(tables, thread, record.runId, brought)
        if (tables.runs.get(record.runId)?.row.outcome) throw invalid(`the run ${record.runId} has ended`)
        break
      case 'approval-open': {
        const { id, threadId } = record.request
        if (threadId !== thread.row.id) throw strayRecord(thread)
        brought = bring(brought, `approval ${id}`, tables.approvals.has(id))
        break
      }
      case 'conversation-open':
      case 'surface-announced':
      case 'history-replace':
      case 'media':
      case 'message':
      case 'message-dequeue':
      case 'message-queue':
      case 'usage':
        break
    }
  }
}

function bring(brought: Brought, name: string, isTaken: boolean): Set<string> {
  if (isTaken || brought?.has(name)) throw invalid(`there already is a ${name}`)
  return (brought ?? new Set()).add(name)
}

function refuseUnknown(tables: Tables, thread: ThreadTable, runId: RunId, brought: Brought): void {
  if (tables.runs.get(runId)?.thread === thread || brought?.has(`run ${runId}`)) return
  throw invalid(`the thread ${thread.row.id} has no run ${runId}`)
}

const invalid = (message: string): StoreError => new StoreError('invalid', message)

const strayRecord = (thread: ThreadTable): StoreError =>
  invalid(`a record for another thread was written to ${thread.row.id}`)
