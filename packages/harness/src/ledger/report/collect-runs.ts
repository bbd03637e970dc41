import type { RunId, TurnEvent } from '@capstan/protocol'
import type { LedgerRecord, RecordOf } from '../../ports/ledger.ts'
import { RunTrace } from './run-trace.ts'

type Delivered = Extract<TurnEvent, { readonly type: 'message-deliver' }>

/** All runs of a thread, by id. */
export type RunTraces = ReadonlyMap<RunId, RunTrace>

/** Collects the traces of all runs in the records, sub-agents included. */
export function collectRuns(records: readonly LedgerRecord[]): RunTraces {
  const traces = new Map<RunId, RunTrace>()
  const queue = new Map<string, Queued>()
  /** The newest turn. Only one turn of a thread runs at a time. */
  let turn: RunTrace | undefined

  for (const record of records) {
    const { at } = record
    const trace = traces.get(runOf(record) ?? ('' as RunId))
    switch (record.type) {
      case 'run-start': {
        const { run } = record
        if (traces.has(run.runId)) break
        const started = new RunTrace(run, at, run.parent && traces.get(run.parent.runId))
        traces.set(run.runId, started)
        if (run.depth === 0) turn = started
        started.touch(at)
        break
      }
      case 'run-resume':
        trace?.resume(at)
        break
      case 'run-park':
        trace?.park(record)
        break
      case 'message':
        if (record.message.role === 'assistant') trace?.addReply(at, record.message)
        break
      case 'usage':
        trace?.pay(record)
        break
      case 'call-intent':
        if (trace) markIntended(trace, record)
        break
      case 'call-result':
        trace?.endCall(record)
        break
      case 'approval-open':
        trace?.ask(record.request)
        break
      case 'run-end':
        if (trace) {
          trace.outcome = record.outcome
          trace.endedAt = at
          trace.parked = undefined
        }
        break
      case 'message-queue':
        queue.set(record.id, { ...record, turn, isGone: false })
        break
      case 'message-dequeue': {
        const queued = queue.get(record.id)
        if (!queued) break
        queued.isGone = true
        addDequeued(queued, record, turn)
        break
      }
      case 'event':
        if (trace && record.event.type === 'message-deliver') addDelivered(trace, record.event, queue)
        trace?.addEvent(record.event)
        break
      case 'conversation-open':
      case 'history-replace':
      case 'surface-announced':
      case 'media':
        break
    }
    trace?.touch(at)
  }
  for (const { turn: owner, at, mode, text, isGone } of queue.values()) {
    if (!isGone) owner?.addMessage(at, { type: 'message', mode, text, delivery: 'waiting' })
  }
  return traces
}

function runOf(record: LedgerRecord): RunId | undefined {
  if (record.type === 'run-start') return record.run.runId
  if (record.type === 'approval-open') return record.request.runId
  if (record.type === 'event') return record.event.runId
  return 'runId' in record ? record.runId : undefined
}

function markIntended(trace: RunTrace, { at, callId, tool, effect }: RecordOf<'call-intent'>): void {
  const call = trace.call(callId, at, tool)
  call.isIntended = true
  call.effect = effect
}

type Queued = RecordOf<'message-queue'> & {
  /** The turn during which it was sent. */
  readonly turn: RunTrace | undefined
  isGone: boolean
}

/** Reports a message that was not delivered in its turn: it started the next turn, or was refused. */
function addDequeued(
  { at: queuedAt, mode, text, turn: owner }: Queued,
  { at, refused }: RecordOf<'message-dequeue'>,
  turn: RunTrace | undefined,
): void {
  if (refused === undefined && mode === 'steer' && owner === turn) return // `addDelivered` reports it
  owner?.addMessage(at, {
    type: 'message',
    mode,
    text,
    waitedMs: at - queuedAt,
    ...(refused === undefined ? { delivery: 'next-turn' } : { delivery: 'refused', refused }),
  })
}

function addDelivered(trace: RunTrace, { at, text }: Delivered, queue: ReadonlyMap<string, Queued>): void {
  const queued = [...queue.values()].findLast((entry) => entry.turn === trace && entry.text === text)
  trace.addMessage(at, {
    type: 'message',
    mode: 'steer',
    text,
    delivery: 'delivered',
    ...(queued ? { waitedMs: at - queued.at } : undefined),
  })
}
