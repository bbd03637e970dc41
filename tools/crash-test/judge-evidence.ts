import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import { textOf } from '@capstan/harness'
import { checkInvariants } from '@capstan/harness/testing'
import type { Counted, Finding } from './counts.ts'
import { toJson } from './event-client.ts'
import type { Line } from './journal.ts'
import { judgeTruth } from './judge-truth.ts'
import { UNKNOWN_AGENT } from './planned-model.ts'
import type { Scenario } from './scenario.ts'
import { EFFECT_TOOLS, TOOLS } from './scenario.ts'
import type { Effect } from './services.ts'

/** Everything known about a finished round. */
export interface Evidence {
  readonly scenario: Scenario
  readonly lines: readonly Line[]
  /** The store told that data is missing: then only what was done twice or said falsely is judged. */
  readonly isLossTold: boolean
  readonly effects: readonly Effect[]
  readonly records: ReadonlyMap<ThreadId, readonly LedgerRecord[]>
  readonly store: Store
}

/** Compares the store with the real effects and with what the client received. */
export async function judgeEvidence(evidence: Evidence): Promise<readonly Finding[]> {
  const { records, store, isLossTold } = evidence
  const findings: Finding[] = [
    ...judgeMessages(evidence),
    ...judgeEffects(evidence),
    ...(await judgeRuns(evidence)),
    ...(await judgeApprovals(evidence)),
    ...(await judgeTruth(evidence)),
    ...judgeErrors(evidence),
  ]
  if (isLossTold) return findings
  findings.push(
    ...judgeWaiting(evidence),
    ...judgeReports(evidence),
    ...(await judgeAnswers(evidence)),
    ...(await judgeEvents(evidence)),
  )
  const known = [...records.keys()].filter((id) => records.get(id)!.length > 0)
  for (const text of await checkInvariants(store, known)) findings.push({ count: 'invariantBreaks', text })
  for (const { text } of (await store.audit.verify()).problems)
    findings.push({ count: 'invariantBreaks', text: `audit log: ${text}` })
  for (const notice of store.notices)
    findings.push({ count: 'invariantBreaks', text: `store notice: ${notice}` })
  return findings
}

/** The records of every thread of a scenario. */
export async function readRecords(
  { ledger }: Store,
  { threads }: Scenario,
): Promise<ReadonlyMap<ThreadId, readonly LedgerRecord[]>> {
  const records = new Map<ThreadId, readonly LedgerRecord[]>()
  for (const { id } of threads) records.set(id as ThreadId, await ledger.read(id as ThreadId))
  return records
}

const finding = (count: Counted, text: string): Finding => ({ count, text })

/** Each accepted message is in the conversation once, or was refused with a reason. */
function* judgeMessages({ scenario, lines, records, isLossTold }: Evidence): Generator<Finding> {
  const acked = new Set(lines.flatMap((line) => (line.type === 'ack' ? [line.id] : [])))
  const shown = new Set(
    lines.flatMap((line) => (line.type === 'delivery' && line.refused === undefined ? [line.id] : [])),
  )
  const taken = new Set(lines.flatMap((line) => (line.type === 'taken' ? [line.id] : [])))
  for (const { id: thread, turns } of scenario.threads) {
    const own = records.get(thread as ThreadId) ?? []
    const countMessages = (text: string) =>
      own.filter(
        (record) =>
          record.type === 'message' &&
          record.message.role === 'user' &&
          textOf(record.message).includes(text),
      ).length
    for (const { messageId, text, interjections } of turns) {
      const count = countMessages(text)
      if (acked.has(messageId) && count === 0 && !isLossTold)
        yield finding('lostMessages', `${messageId} was acknowledged and is not in the conversation`)
      if (count > 1) yield finding('invariantBreaks', `${messageId} is in the conversation ${count} times`)
      for (const { id, text: sent } of interjections) {
        const queued = own.find((record) => record.type === 'message-queue' && record.id === id)
        const left = own.find((record) => record.type === 'message-dequeue' && record.id === id)
        const wasRefused = left?.type === 'message-dequeue' && left.refused !== undefined
        const times = countMessages(sent)
        if (shown.has(id) && times === 0 && !isLossTold)
          yield finding('lostMessages', `${id} was reported as delivered and is not in the conversation`)
        else if (taken.has(id) && !queued && times === 0 && !isLossTold)
          yield finding('lostMessages', `${id} was acknowledged and is nowhere`)
        else if (queued && !left) yield finding('lostMessages', `${id} was queued and is still in the queue`)
        else if (queued && !wasRefused && times === 0 && !isLossTold)
          yield finding('lostMessages', `${id} left the queue and is not in the conversation`)
        if (times > 1) yield finding('invariantBreaks', `${id} is in the conversation ${times} times`)
      }
    }
  }
}

type CallTrace = { intent?: true; result?: { readonly ok: boolean; readonly failure?: string }; tool: string }

/** A sub-agent that waits can be continued in every later process. */
function* judgeWaiting({ records }: Evidence): Generator<Finding> {
  for (const record of [...records.values()].flat()) {
    if (record.type !== 'call-result' || record.result.tool !== TOOLS.continue || record.result.ok) continue
    const { text } = record.message
    if (text.includes('No agent waits') && !text.includes(UNKNOWN_AGENT))
      yield finding('invariantBreaks', text)
  }
}

/** Each sub-agent that worked beside its parent has ended, and its report is in its parent's conversation once. */
function* judgeReports({ records }: Evidence): Generator<Finding> {
  const reports = new Map<string, number>()
  const ended = new Set<string>()
  const all = [...records.values()].flat()
  for (const record of all) {
    if (record.type === 'run-end') ended.add(record.runId)
    if (record.type !== 'message' || record.message.role !== 'notice' || !record.message.report) continue
    const { runId } = record.message.report
    reports.set(runId, (reports.get(runId) ?? 0) + 1)
  }
  for (const record of all) {
    if (record.type !== 'run-start' || !record.run.isSpawned) continue
    const { runId } = record.run
    const count = reports.get(runId) ?? 0
    if (count !== 1) yield finding('invariantBreaks', `${runId} has reported ${count} times`)
    if (!ended.has(runId)) yield finding('stuckRuns', `${runId} worked beside its parent and has not ended`)
  }
}

/** No question is left open. */
async function judgeApprovals({ store }: Evidence): Promise<readonly Finding[]> {
  const pending = await store.approvals.list({ userId: 'local', pending: true, now: Date.now() })
  return pending.map(({ id }) => finding('invariantBreaks', `${id} was neither answered nor withdrawn`))
}

/** Compares the real effects with the ledger. */
function* judgeEffects({ effects, records, isLossTold }: Evidence): Generator<Finding> {
  const calls = new Map<string, CallTrace>()
  for (const record of [...records.values()].flat()) {
    if (record.type === 'call-intent') {
      const key = `${record.runId}/${record.callId}`
      calls.set(key, { ...calls.get(key), tool: record.tool, intent: true })
    } else if (record.type === 'call-result') {
      const { callId, tool, ok, failure } = record.result
      const key = `${record.runId}/${callId}`
      calls.set(key, { ...calls.get(key), tool, result: { ok, failure: failure?.class } })
    }
  }
  const tags = new Map<string, string>()
  const keys = new Set<string>()
  for (const { tool, tag, key } of effects) {
    if (tags.has(tag) || keys.has(key)) {
      yield finding(
        'duplicateWrites',
        `${tool} ${tag} was done twice, for ${tags.get(tag) ?? key} and ${key}`,
      )
    }
    tags.set(tag, key)
    keys.add(key)
    if (isLossTold) continue
    const call = calls.get(key)
    if (!call?.intent)
      yield finding('unnamedUnknowns', `${tool} ${tag} was done for ${key}, without an intent`)
    const { result } = call ?? {}
    if (!result) yield finding('unnamedUnknowns', `${tool} ${tag} was done, and ${key} has no result`)
    else if (!isNamed(result))
      yield finding('unnamedUnknowns', `${tool} ${tag} was done, and ${key} failed as ${result.failure}`)
  }
  for (const [key, { tool, intent, result }] of calls) {
    if (keys.has(key)) continue
    // A call that was stopped between its intent and its start did nothing, and says so. So does an app that is away.
    const didNothing = result && (result.failure === 'cancelled' || tool === TOOLS.appWrite)
    if (intent && !isLossTold && !(result && (isNamed(result) || didNothing))) {
      const how = result ? `failed as ${result.failure}` : 'has no result'
      yield finding('unnamedUnknowns', `${tool} of ${key} was started and ${how}`)
    }
    if (result?.ok && EFFECT_TOOLS.has(tool))
      yield finding('unnamedUnknowns', `${tool} of ${key} is stored as done, and never ran`)
  }
}

const isNamed = ({ ok, failure }: NonNullable<CallTrace['result']>) => ok || failure === 'interrupted'

async function judgeRuns({
  scenario,
  records,
  lines,
  store,
  isLossTold,
}: Evidence): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { id, status, text } of await store.runs.unfinished())
    findings.push(finding('stuckRuns', `${id} is ${status}: ${text}`))
  const started = new Set(
    [...records.values()]
      .flat()
      .flatMap((record) => (record.type === 'run-start' ? [record.run.messageId] : [])),
  )
  for (const { messageId } of scenario.threads.flatMap(({ turns }) => turns)) {
    if (!started.has(messageId) && !isLossTold)
      findings.push(finding('stuckRuns', `${messageId} never started`))
  }
  if (lines.at(-1)?.type !== 'finish' && findings.length === 0)
    findings.push(finding('stuckRuns', 'the last start did not finish'))
  return findings
}

/** Every acknowledgement and answer equals the stored run. */
async function judgeAnswers({ lines, scenario, store }: Evidence): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { id, turns } of scenario.threads) {
    for (const { messageId } of turns) {
      const row = await store.runs.findByMessage(id as ThreadId, messageId)
      for (const line of lines) {
        if ((line.type !== 'end' && line.type !== 'ack') || line.id !== messageId) continue
        if (line.type === 'ack' && line.runId !== undefined && line.runId !== row?.id)
          findings.push(
            finding('invariantBreaks', `${messageId} was acknowledged as ${line.runId}, and is ${row?.id}`),
          )
        if (line.type === 'end' && line.text !== row?.outcome?.text)
          findings.push(
            finding('invariantBreaks', `${messageId} was answered "${line.text}", which is not stored`),
          )
      }
    }
  }
  return findings
}

/** The client received every stored event once, with the stored content. */
async function judgeEvents({ lines, scenario, store }: Evidence): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const received = new Map<string, TurnEvent>()
  for (const line of lines) {
    if (line.type === 'event') received.set(`${line.event.threadId} ${line.event.seq}`, line.event)
    if (line.type !== 'gap' && line.type !== 'repeat') continue
    const { event, last, type } = line
    const text = `${event.threadId} sent ${event.type} ${event.seq} after ${last}`
    findings.push(finding(type === 'gap' ? 'eventGaps' : 'eventRepeats', text))
  }
  let stored = 0
  for (const { id } of scenario.threads) {
    for (const event of await store.ledger.readEvents(id as ThreadId, 0)) {
      stored++
      const name = `${id} ${event.seq}`
      const seen = received.get(name)
      if (!seen) findings.push(finding('eventGaps', `${name} (${event.type}) never reached the client`))
      else if (toJson(seen) !== toJson(event)) {
        const text = `${name} was received as ${toJson(seen)} and is stored as ${toJson(event)}`
        findings.push(finding('eventRepeats', text))
      }
    }
  }
  if (received.size > stored)
    findings.push(
      finding('eventRepeats', `${received.size - stored} events were received and are not stored`),
    )
  return findings
}

function* judgeErrors({ lines, isLossTold }: Evidence): Generator<Finding> {
  for (const line of lines) {
    if (line.type === 'unhandled') yield finding('invariantBreaks', `unhandled rejection: ${line.text}`)
    if (line.type === 'notice' && !isLossTold) yield finding('invariantBreaks', `store notice: ${line.text}`)
    if (line.type === 'word-again')
      yield finding(
        'invariantBreaks',
        `${line.id} had answered a question, and was a new message when it came again`,
      )
    if (line.type === 'unanswered')
      yield finding('invariantBreaks', `${line.id} was neither delivered nor refused`)
    // Only a planned failure may cause an error: a process cannot notice a kill.
    if (line.type === 'error' && !line.isPlanned)
      yield finding('invariantBreaks', `a process ended with an error: ${line.text}`)
  }
}
