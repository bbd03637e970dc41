import type { CallId, RunId, ThreadId, TurnEvent, TurnOutcome, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord, RunStart } from '../ports/ledger.ts'
import type { Store } from '../ports/store.ts'
import { callsOf } from '../turn/message/message.ts'
import { MAX_DEPTH } from '../turn/run-context.ts'

/** Options of `checkInvariants`. */
export interface InvariantOptions {
  /** Runs that a process is working on. Default: none. */
  readonly live?: ReadonlySet<RunId>
}

/**
 * Checks what must hold for threads, whatever happened to the process that wrote them. Returns one sentence per broken
 * invariant; empty for a valid store. Reads through the port only.
 */
export async function checkInvariants(
  store: Store,
  threadIds: readonly ThreadId[],
  { live = new Set() }: InvariantOptions = {},
): Promise<readonly string[]> {
  const breaks: string[] = []
  for (const threadId of threadIds) {
    const records = await store.ledger.read(threadId)
    const thread = groupRecords(records)
    const found = [
      ...checkConversations(records),
      ...checkRuns(thread),
      ...checkCalls(thread),
      ...checkUsage(thread),
      ...checkQueue(records, thread),
      ...checkEvents(thread),
      ...(await checkStoredEvents(store, threadId, thread)),
      ...(await checkApprovals(store, thread)),
      ...(await checkRows(store, threadId, thread, live)),
    ]
    breaks.push(...found.map((what) => `${threadId}: ${what}`))
  }
  return breaks
}

/** The records of a thread, grouped by run. */
interface ThreadRecords {
  readonly runs: ReadonlyMap<RunId, RunRecords>
  readonly events: readonly TurnEvent[]
  /** The approvals that were recorded before each event. */
  readonly approvalsBefore: ReadonlyMap<TurnEvent, ReadonlySet<string>>
  /** Problems found while the records were grouped. */
  readonly strays: readonly string[]
}

interface RunRecords {
  readonly start: RunStart
  /** All records of this run in order, without events. */
  readonly records: LedgerRecord[]
  readonly ends: TurnOutcome[]
  readonly children: RunRecords[]
}

function groupRecords(records: readonly LedgerRecord[]): ThreadRecords {
  const runs = new Map<RunId, RunRecords>()
  const events: TurnEvent[] = []
  const strays: string[] = []
  const approvals = new Set<string>()
  const approvalsBefore = new Map<TurnEvent, ReadonlySet<string>>()
  for (const record of records) {
    if (record.type === 'event') {
      events.push(record.event)
      if (record.event.type === 'approval-request') approvalsBefore.set(record.event, new Set(approvals))
      continue
    }
    if (record.type === 'approval-open') approvals.add(record.request.id)
    if (record.type === 'run-start') {
      const { run } = record
      if (runs.has(run.runId)) strays.push(`${run.runId} was started twice`)
      const grouped: RunRecords = { start: run, records: [], ends: [], children: [] }
      runs.set(run.runId, grouped)
      if (run.parent) {
        const parent = runs.get(run.parent.runId)
        if (parent) parent.children.push(grouped)
        else strays.push(`${run.runId} works for ${run.parent.runId}, which was never started`)
      }
    }
    const runId = runOf(record)
    if (runId === undefined) continue
    const run = runs.get(runId)
    if (!run) strays.push(`a ${record.type} belongs to ${runId}, which was never started`)
    else {
      if (run.ends.length > 0) strays.push(`a ${record.type} of ${runId} came after its end`)
      run.records.push(record)
      if (record.type === 'run-end') run.ends.push(record.outcome)
    }
  }
  return { runs, events, approvalsBefore, strays }
}

function runOf(record: LedgerRecord): RunId | undefined {
  if (record.type === 'approval-open') return record.request.runId
  if (record.type === 'run-start') return record.run.runId
  return 'runId' in record ? record.runId : undefined
}

const isFinished = (run: RunRecords) => run.ends.length > 0

/** I6: a conversation has one system prompt, recorded before its first run. */
function* checkConversations(records: readonly LedgerRecord[]): Generator<string> {
  const open = new Set<string>()
  for (const record of records) {
    if (record.type === 'conversation-open') {
      const { conversationId } = record
      if (open.has(conversationId)) yield `the system prompt of ${conversationId} was opened twice (I6)`
      open.add(conversationId)
    } else if (record.type === 'run-start' && !open.has(record.run.conversationId)) {
      yield `${record.run.runId} began in ${record.run.conversationId}, which was never opened (I6)`
    }
  }
}

function* checkRuns({ runs, strays }: ThreadRecords): Generator<string> {
  yield* strays
  const unfinished: RunId[] = []
  const messages = new Map<string, RunId>()
  for (const run of runs.values()) {
    const { runId, depth, parent, messageId } = run.start
    if (!(depth >= 0 && depth <= MAX_DEPTH)) yield `${runId} is ${depth} deep (I9)`
    const above = parent ? runs.get(parent.runId)?.start.depth : -1
    if (above !== undefined && depth !== above + 1) yield `${runId} is ${depth} deep, below ${above} (I9)`
    if (depth === 0 && !isFinished(run)) unfinished.push(runId)
    for (const child of run.children) {
      if (isFinished(run) && !isFinished(child))
        yield `${child.start.runId} is unfinished below ${runId}, which has ended`
    }
    if (messageId === undefined) continue
    const first = messages.get(messageId)
    if (first) yield `the message ${messageId} became two turns, ${first} and ${runId}`
    messages.set(messageId, runId)
  }
  if (unfinished.length > 1) yield `${unfinished.join(' and ')} are unfinished at once`
}

/**
 * I1 and I2: a call has one result, directly after the message that requested it, with the message for the model. Only
 * an unfinished run may have calls without a result, and only in its last reply.
 */
function* checkCalls({ runs }: ThreadRecords): Generator<string> {
  for (const run of runs.values()) {
    const { runId } = run.start
    const asked = new Set<CallId>()
    const answered = new Set<CallId>()
    const intended = new Set<CallId>()
    let open = new Set<CallId>()
    for (const record of run.records) {
      if (record.type === 'message') {
        for (const callId of open) yield `${runId} went on without a result of ${callId} (I2)`
        open = new Set()
        if (record.message.role === 'tool') yield `${runId} has a tool message outside of a result (I2)`
        if (record.message.role !== 'assistant') continue
        for (const { id } of callsOf(record.message)) {
          if (asked.has(id)) yield `${runId} requested ${id} twice (I2)`
          asked.add(id)
          open.add(id)
        }
      }
      if (record.type === 'call-intent') {
        const { callId } = record
        if (answered.has(callId)) yield `${callId} of ${runId} was started again after its result (I1)`
        if (!asked.has(callId)) yield `${callId} of ${runId} was started and never requested (I1)`
        intended.add(callId)
      }
      if (record.type === 'call-result') {
        const { callId } = record.result
        if (answered.has(callId)) yield `${callId} of ${runId} has two results (I1)`
        else if (!open.has(callId)) yield `a result of ${callId} where ${runId} did not request it (I2)`
        if (record.message.callId !== callId)
          yield `the result of ${callId} came with the message of ${record.message.callId} (I2)`
        answered.add(callId)
        open.delete(callId)
      }
    }
    if (!isFinished(run)) continue
    for (const callId of asked) {
      if (!answered.has(callId)) yield `${callId} of ${runId} has no result, although the run has ended (I1)`
    }
    for (const callId of intended) {
      if (!answered.has(callId)) yield `it is unknown whether ${callId} of ${runId} happened (I1)`
    }
  }
}

/** I5: the usage of an outcome is the recorded usage of the run and the runs below it. */
function* checkUsage({ runs }: ThreadRecords): Generator<string> {
  for (const run of runs.values()) {
    const used = usageOf(run)
    for (const { usage } of run.ends) {
      for (const field of USAGE_FIELDS) {
        if (Math.abs(usage[field] - used[field]) < 1e-9) continue
        yield `${run.start.runId} has ${usage[field]} ${field}, its records have ${used[field]} (I5)`
      }
    }
  }
}

type UsageField = Exclude<keyof Usage, 'estimated'>
const USAGE_FIELDS = Object.keys(NO_USAGE) as readonly UsageField[]
type Totals = Record<UsageField, number>

function usageOf(run: RunRecords, total: Totals = { ...NO_USAGE }): Totals {
  for (const record of run.records) if (record.type === 'usage') addUsage(total, record.usage)
  for (const child of run.children) usageOf(child, total)
  return total
}

function addUsage(total: Totals, usage: Usage): void {
  for (const field of USAGE_FIELDS) total[field] += usage[field]
}

/** A queued message is delivered or refused, once. */
function* checkQueue(records: readonly LedgerRecord[], { runs }: ThreadRecords): Generator<string> {
  const waiting = new Map<string, boolean>()
  for (const record of records) {
    if (record.type === 'message-queue') {
      if (waiting.has(record.id)) yield `the message ${record.id} was queued twice`
      waiting.set(record.id, true)
    } else if (record.type === 'message-dequeue') {
      if (waiting.get(record.id) !== true) yield `the message ${record.id} left the queue without being in it`
      waiting.set(record.id, false)
    }
  }
  const goesOn = [...runs.values()].some((run) => !isFinished(run))
  for (const [id, isWaiting] of waiting) {
    if (isWaiting && !goesOn) yield `the message ${id} is queued, and no turn is left to take it`
  }
}

/** I3: events are numbered without gaps. Each run has one start and one end event, with the recorded outcome. */
function* checkEvents({ events, runs }: ThreadRecords): Generator<string> {
  for (const [index, { seq }] of events.entries()) {
    if (seq !== index + 1) {
      yield `event ${index + 1} has the number ${seq} (I3)`
      break
    }
  }
  const starts = new Map<RunId, number>()
  const ends = new Map<RunId, TurnOutcome[]>()
  for (const event of events) {
    const { runId } = event
    if (!runs.has(runId)) yield `event ${event.seq} belongs to ${runId}, which was never started`
    if (event.type === 'turn-start') starts.set(runId, (starts.get(runId) ?? 0) + 1)
    else if (!starts.has(runId)) yield `event ${event.seq} of ${runId} came before its turn-start`
    if (ends.has(runId)) yield `event ${event.seq} of ${runId} came after its turn-end`
    if (event.type === 'turn-end') ends.set(runId, [...(ends.get(runId) ?? []), event.outcome])
  }
  for (const run of runs.values()) {
    const { runId } = run.start
    const started = starts.get(runId) ?? 0
    const ended = ends.get(runId) ?? []
    if (started > 1) yield `${runId} was announced ${started} times`
    if (!isFinished(run)) {
      if (ended.length > 0) yield `${runId} was announced to have ended, and has not`
      continue
    }
    if (started === 0) yield `${runId} has ended and was never announced`
    if (ended.length !== 1) yield `${runId} has ended and was announced to have ended ${ended.length} times`
    const [recorded] = run.ends
    if (ended[0] && recorded && toJson(ended[0]) !== toJson(recorded))
      yield `${runId} ended with "${recorded.text}", and "${ended[0].text}" was announced`
  }
}

/** JSON with sorted keys, because a store may change their order. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** I3 for a client: events can be read from any number on. */
async function checkStoredEvents(
  { ledger }: Store,
  threadId: ThreadId,
  { events }: ThreadRecords,
): Promise<readonly string[]> {
  const breaks: string[] = []
  const lastSeq = await ledger.lastSeq(threadId)
  if (lastSeq !== (events.at(-1)?.seq ?? 0))
    breaks.push(`the last number is ${lastSeq}, and ${events.length} events are stored (I3)`)
  const middle = Math.floor(events.length / 2)
  for (const after of new Set([0, middle])) {
    const read = await ledger.readEvents(threadId, after, events.length + 1)
    if (toJson(read) !== toJson(events.slice(after)))
      breaks.push(`the events after ${after} are not the ones that were recorded (I3)`)
  }
  return breaks
}

/** An approval is stored before it is announced, and as it was announced. */
async function checkApprovals(
  { approvals }: Store,
  { events, approvalsBefore }: ThreadRecords,
): Promise<readonly string[]> {
  const breaks: string[] = []
  for (const event of events) {
    if (event.type !== 'approval-request') continue
    const { approvalId } = event
    if (!approvalsBefore.get(event)?.has(approvalId))
      breaks.push(`the approval ${approvalId} was announced before it was stored`)
    const stored = await approvals.get(approvalId)
    if (!stored) breaks.push(`the approval ${approvalId} was announced and is not stored`)
    else if (!stored.isIntact || stored.digest !== event.digest || stored.callId !== event.callId)
      breaks.push(`the approval ${approvalId} is not what was announced`)
  }
  return breaks
}

/** I4: every run is live, waiting or ended. The rows match the records. */
async function checkRows(
  store: Store,
  threadId: ThreadId,
  { runs }: ThreadRecords,
  live: ReadonlySet<RunId>,
): Promise<readonly string[]> {
  const breaks: string[] = []
  const roots = [...runs.values()].filter((run) => run.start.depth === 0)
  let rows = 0
  for (const { start } of roots) {
    const tree = await store.runs.tree(start.runId)
    rows += tree.length
    if (tree[0]?.status === 'waiting' && !tree.some((row) => row.waitsFor))
      breaks.push(`${start.runId} waits for nothing (I4)`)
    for (const row of tree) {
      const recorded = runs.get(row.id)?.ends[0]
      if (row.status === 'running' && !live.has(start.runId))
        breaks.push(`${row.id} is running, but no process works on it (I4)`)
      const isOver = row.status !== 'running' && row.status !== 'waiting'
      if (recorded ? row.status !== recorded.type || toJson(row.outcome) !== toJson(recorded) : isOver)
        breaks.push(`the row of ${row.id} has ${row.status}, its records have ${recorded?.type ?? 'no end'}`)
    }
  }
  if (rows !== runs.size) breaks.push(`${runs.size} runs were started and ${rows} have a row`)
  const unfinished = new Set((await store.runs.unfinished()).map(({ id }) => id))
  for (const run of roots) {
    if (isFinished(run) === unfinished.has(run.start.runId))
      breaks.push(`${run.start.runId} is ${isFinished(run) ? '' : 'not '}among the unfinished (I4)`)
  }
  const thread = await store.threads.get(threadId)
  if (!thread) return [...breaks, 'there is no such thread']
  const counted: Totals = { ...NO_USAGE }
  for (const { usage } of await store.runs.usage({ userId: thread.userId, threadId }))
    addUsage(counted, usage)
  const used: Totals = { ...NO_USAGE }
  for (const run of roots) usageOf(run, used)
  for (const field of USAGE_FIELDS) {
    if (Math.abs(counted[field] - used[field]) > 1e-9)
      breaks.push(`the thread has ${counted[field]} ${field}, its records have ${used[field]} (I5)`)
  }
  return breaks
}
