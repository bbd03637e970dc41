import type { RunId } from '@capstan/protocol'
import { StoreError } from '../../turn/errors.ts'
import type { LedgerRecord } from '../ledger.ts'
import type { Tables, ThreadState } from './tables.ts'

/** Throws what is wrong with a commit, and changes nothing. What passes can be applied whole. */
export function checkCommit(tables: Tables, thread: ThreadState, records: readonly LedgerRecord[]): void {
  let seq = thread.events.length
  // What the commit itself brings, which few do.
  let brought: Set<string> | undefined

  const bring = (key: string, isTaken: boolean): void => {
    if (isTaken || brought?.has(key)) throw new StoreError('invalid', `there already is a ${key}`)
    brought ??= new Set()
    brought.add(key)
  }
  const refuseUnknown = (runId: RunId): void => {
    if (tables.runs.get(runId)?.thread === thread || brought?.has(`run ${runId}`)) return
    throw new StoreError('invalid', `the thread ${thread.row.id} has no run ${runId}`)
  }
  const refuseEnded = (runId: RunId): void => {
    refuseUnknown(runId)
    if (tables.runs.get(runId)?.outcome) throw new StoreError('invalid', `the run ${runId} has ended`)
  }

  for (const record of records) {
    switch (record.type) {
      case 'event':
        if (record.event.seq !== ++seq) {
          throw new StoreError('invalid', `the next event has the number ${seq}, not ${record.event.seq}`)
        }
        if (record.event.threadId !== thread.row.id) throw strayRecord(thread)
        break
      case 'call-intent':
      case 'call-result':
        refuseUnknown(record.runId)
        break
      case 'run-start': {
        const { runId, messageId } = record.run
        bring(`run ${runId}`, tables.runs.has(runId))
        if (messageId !== undefined) bring(`message ${messageId}`, thread.byMessage.has(messageId))
        break
      }
      case 'run-resume':
      case 'run-park':
      case 'run-end':
        refuseEnded(record.runId)
        break
      case 'approval-open':
        if (record.request.threadId !== thread.row.id) throw strayRecord(thread)
        bring(`approval ${record.request.id}`, tables.approvals.has(record.request.id))
        break
      case 'conversation-open':
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

function strayRecord(thread: ThreadState): StoreError {
  return new StoreError('invalid', `a record for another thread was written to ${thread.row.id}`)
}
