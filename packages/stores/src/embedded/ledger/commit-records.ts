import { StoreError } from '@capstan/harness'
import { withoutMediaBytes } from '@capstan/harness/stores'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { RunId, ThreadId } from '@capstan/protocol'
import { writeRows, wrongThread } from './write-rows.ts'
import type { Rows } from './write-rows.ts'
import type { Connection } from '../database/connection.ts'
import { HOLDS_CALLS, HOLDS_USAGE, HOLDS_WORDS, toBody } from './journal.ts'
import type { Journal, Page } from './journal.ts'
import type { KnownThread } from '../threads/thread-rows.ts'

/** Writes one page and the rows that change with it, whole or not at all. Answers with the page. */
export type CommitRecords = (threadId: ThreadId, records: readonly LedgerRecord[]) => Page | undefined

export function createCommitRecords(connection: Connection, journal: Journal, rows: Rows): CommitRecords {
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

interface Checked {
  kinds: number
  lastSeq: number
  hasRows: boolean
  hasMedia: boolean
  /** It records a call with side effects. */
  isSealed: boolean
  started: Set<RunId> | undefined
}

/** The checks that need no rows: the numbers of the events, and that calls belong to a run of this thread. */
function checkRecords(rows: Rows, thread: KnownThread, records: readonly LedgerRecord[]): Checked {
  const checked: Checked = {
    kinds: 0,
    lastSeq: thread.lastSeq,
    hasRows: false,
    hasMedia: false,
    isSealed: false,
    started: undefined,
  }
  for (const record of records) {
    switch (record.type) {
      case 'event':
        if (record.event.seq !== ++checked.lastSeq) {
          const problem = `The next event has the number ${checked.lastSeq}, not ${record.event.seq}.`
          throw new StoreError('invalid', problem)
        }
        if (record.event.threadId !== thread.id) throw wrongThread(thread)
        break
      case 'call-intent':
      case 'call-result':
        if (record.type === 'call-intent' || (record.audit?.effect ?? 'read') !== 'read')
          checked.isSealed = true
        checked.kinds |= HOLDS_CALLS
        refuseUnknownRun(rows, thread, record.runId, checked.started)
        break
      case 'usage':
        checked.kinds |= HOLDS_USAGE
        break
      case 'message':
        if (record.message.role === 'user' && record.message.delivery) checked.kinds |= HOLDS_WORDS
        break
      case 'run-start':
        checked.started ??= new Set()
        checked.started.add(record.run.runId)
        checked.kinds |= HOLDS_WORDS
        checked.hasRows = true
        break
      case 'run-end':
        checked.kinds |= HOLDS_WORDS
        checked.hasRows = true
        break
      case 'media':
        checked.hasMedia = true
        checked.hasRows = true
        break
      case 'approval-open':
      case 'message-dequeue':
      case 'message-queue':
      case 'run-park':
      case 'run-resume':
        checked.hasRows = true
        break
      case 'conversation-open':
      case 'history-replace':
      case 'surface-announced':
        break
    }
  }
  return checked
}

function refuseUnknownRun(
  { runs }: Rows,
  thread: KnownThread,
  runId: RunId,
  started: ReadonlySet<RunId> | undefined,
): void {
  if (thread.runs.has(runId) || started?.has(runId)) return
  if (runs.get(runId)?.thread !== thread.no) {
    throw new StoreError('invalid', `The thread ${thread.id} has no run ${runId}.`)
  }
  thread.runs.add(runId)
}
