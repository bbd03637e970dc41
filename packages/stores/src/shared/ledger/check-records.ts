import { StoreError } from '@capstan/harness'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { RunId } from '@capstan/protocol'
import { HOLDS_CALLS, HOLDS_USAGE, HOLDS_WORDS } from './page-body.ts'
import { wrongThread } from './write-rows.ts'
import type { KnownThread, Rows } from './write-rows.ts'

/** What a commit consists of. */
export interface Checked {
  kinds: number
  lastSeq: number
  hasRows: boolean
  hasMedia: boolean
  /** It records a call with side effects. */
  isSealed: boolean
  started: Set<RunId> | undefined
}

/** The checks that need no rows: the numbers of the events, and that calls belong to a run of this thread. */
export function checkRecords(
  rows: Pick<Rows, 'runs'>,
  thread: KnownThread,
  records: readonly LedgerRecord[],
): Checked {
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
  { runs }: Pick<Rows, 'runs'>,
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
