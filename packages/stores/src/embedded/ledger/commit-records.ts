import { StoreError } from '@capstan/harness'
import { withoutMediaBytes } from '@capstan/harness/stores'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { checkRecords } from '../../shared/ledger/check-records.ts'
import { toBody } from '../../shared/ledger/page-body.ts'
import { writeRows } from '../../shared/ledger/write-rows.ts'
import type { Rows } from '../../shared/ledger/write-rows.ts'
import type { ApprovalRows } from '../approvals/approval-rows.ts'
import type { Connection } from '../database/connection.ts'
import type { Journal, Page } from './journal.ts'
import type { MediaRows } from './media-rows.ts'
import type { QueueRows } from './queue-rows.ts'
import type { RunRows } from '../runs/run-rows.ts'
import type { ThreadRows } from '../threads/thread-rows.ts'

/** Rows of the file. */
export interface CommitRows extends Rows {
  readonly threads: ThreadRows
  readonly runs: RunRows
  readonly approvals: ApprovalRows
  readonly media: MediaRows
  readonly queue: QueueRows
}

/** Writes one page and the rows that change with it, whole or not at all. Answers with the page. */
export type CommitRecords = (threadId: ThreadId, records: readonly LedgerRecord[]) => Page | undefined

export function createCommitRecords(
  connection: Connection,
  journal: Journal,
  rows: CommitRows,
): CommitRecords {
  return (threadId, records) => {
    const thread = rows.threads.known(threadId)
    if (!thread) throw new StoreError('invalid', `There is no thread ${threadId}.`)
    if (records.length === 0) return undefined
    const { kinds, lastSeq, hasRows, hasMedia, isSealed, started } = checkRecords(rows, thread, records)
    const body = toBody(hasMedia ? records.map(withoutMediaBytes) : records)
    const made = { thread: thread.no, lastSeq, kinds, body }
    let page: Page
    if (hasRows || isSealed) {
      try {
        page = connection.transaction(() => {
          for (const record of records) writeRows(rows, thread, record)
          return journal.append(made, { isSealed: true })
        })
      } catch (error) {
        rows.runs.forgetRecent()
        throw error
      }
    } else {
      // One statement is a transaction by itself, and what most commits are.
      page = journal.append(made)
    }
    // Only after the transaction: what was rolled back must not count.
    thread.lastSeq = lastSeq
    if (started) for (const runId of started) thread.runs.add(runId)
    return page
  }
}
