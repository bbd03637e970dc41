import { randomUUID } from 'node:crypto'
import type { RunId, RunRow, ThreadId, TurnOutcome } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { SentId } from './sent-ids.ts'

/** The embedded store answers at once: it has nobody to wait for. */
function now<Value>(answer: Value | Promise<Value>): Value {
  if (answer instanceof Promise) throw new TypeError('An embedded store does not answer later.')
  return answer
}

type Ports = Pick<Store, 'approvals' | 'ledger' | 'runs' | 'threads'>

/**
 * Ends every turn that has no end, and drops the messages that wait. Call it when saved pages are missing: the end of such a
 * turn, or of a call in it, may have been among them, so running it again could do something twice. A message whose turn is
 * missing altogether gets one that has ended: sent again, it is known.
 */
export function endUnproven(store: Ports, sent: readonly SentId[], at: number): void {
  const { approvals, ledger, runs, threads } = store
  for (const turn of now(runs.unfinished())) {
    const tree = now(runs.tree(turn.id)).filter(({ outcome }) => outcome === undefined)
    let seq = now(ledger.lastSeq(turn.threadId))
    now(
      ledger.commit(
        turn.threadId,
        tree.toReversed().flatMap((run) => toEnd(run, ++seq, at)),
      ),
    )
    for (const { id, decision } of now(approvals.ofRuns(tree.map((run) => run.id))))
      if (decision === undefined) now(approvals.answer(id, 'withdrawn', at))
  }
  for (const { id } of now(threads.withQueued())) now(ledger.commit(id, dropQueued(store, id, at)))
  for (const one of sent)
    if (isMissing(store, one)) now(ledger.commit(one.threadId, toLostTurn(store, one, at)))
}

function isMissing({ ledger, runs, threads }: Ports, { threadId, messageId }: SentId): boolean {
  if (!now(threads.get(threadId)) || now(runs.findByMessage(threadId, messageId))) return false
  return !now(ledger.read(threadId)).some(
    (record) => record.type === 'message-queue' && record.id === messageId,
  )
}

/** A turn of which only the id of its message is left. */
function toLostTurn({ ledger }: Ports, { threadId, messageId }: SentId, at: number): LedgerRecord[] {
  const runId = `run_${randomUUID()}` as RunId
  const about = { agent: 'session', depth: 0, model: 'unknown', text: '', messageId }
  const seq = now(ledger.lastSeq(threadId)) + 1
  const event = { type: 'turn-start', ...about, threadId, runId, seq, at } as const
  return [
    { type: 'conversation-open', at, conversationId: runId, agent: about.agent, system: '' },
    {
      type: 'run-start',
      at,
      run: { ...about, runId, conversationId: runId, origin: 'unlabelled', budget: {} },
    },
    { type: 'event', at, event },
    ...toEnd({ id: runId, threadId }, seq + 1, at),
  ]
}

function toEnd(
  { id: runId, threadId }: Pick<RunRow, 'id' | 'threadId'>,
  seq: number,
  at: number,
): LedgerRecord[] {
  const event = { type: 'turn-end', outcome: UNPROVEN, threadId, runId, seq, at } as const
  return [
    { type: 'run-end', at, runId, outcome: UNPROVEN },
    { type: 'event', at, event },
  ]
}

function dropQueued({ ledger }: Pick<Store, 'ledger'>, id: ThreadId, at: number): LedgerRecord[] {
  const waiting = new Set<string>()
  for (const record of now(ledger.read(id))) {
    if (record.type === 'message-queue') waiting.add(record.id)
    if (record.type === 'message-dequeue') waiting.delete(record.id)
  }
  return [...waiting].map((queued) => ({ type: 'message-dequeue', at, id: queued, refused: LOST }))
}

const LOST = 'saved data is missing, and it may have been delivered'
const CAUSE =
  'Saved data of this turn is missing, so nobody knows how far it came. Some of it may have happened.'
const NEXT = 'Check what was done before you ask for it again.'

const UNPROVEN: TurnOutcome = {
  type: 'failed',
  text: `${CAUSE} ${NEXT}`,
  usage: NO_USAGE,
  iterations: 0,
  failure: {
    class: 'interrupted',
    category: 'unknown',
    cause: CAUSE,
    next: NEXT,
    recoverable: false,
    evidence: { rule: 'lost-pages' },
  },
}
