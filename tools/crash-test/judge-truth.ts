import type { ThreadId } from '@capstan/protocol'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { Finding } from './counts.ts'
import type { Effect } from './services.ts'

/** What a round left behind, as far as it is compared here. */
interface Evidence {
  readonly effects: readonly Effect[]
  readonly records: ReadonlyMap<ThreadId, readonly LedgerRecord[]>
  readonly store: Store
}

const broken = (text: string): Finding => ({ count: 'invariantBreaks', text })

/** Nothing runs against an answer, nothing stays open under a turn that ended, and nothing that was done is kept quiet. */
export async function judgeTruth(evidence: Evidence): Promise<readonly Finding[]> {
  const records = [...evidence.records.values()].flat()
  return [
    ...(await judgeRefusals(evidence, records)),
    ...judgeChildren(records),
    ...judgeAccounts(evidence, records),
  ]
}

/** A call that was refused, or whose question nobody answered, has no effect; every answer was announced. */
async function judgeRefusals(
  { effects, store }: Evidence,
  records: readonly LedgerRecord[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const done = new Set(effects.map(({ key }) => key))
  const announced = new Set(
    records.flatMap((record) =>
      record.type === 'event' && record.event.type === 'approval-answer' ? [record.event.approvalId] : [],
    ),
  )
  const runs = records.flatMap((record) => (record.type === 'run-start' ? [record.run.runId] : []))
  for (const { id, runId, callId, decision = 'open' } of await store.approvals.ofRuns(runs)) {
    const isRefused = !decision.startsWith('allow')
    if (isRefused && done.has(`${runId}/${callId}`))
      findings.push(broken(`${runId}/${callId} was done, and its question ${id} ended ${decision}`))
    if (!announced.has(id)) findings.push(broken(`the answer ${decision} to ${id} has no event`))
  }
  return findings
}

/** Every run below a turn has an end. */
function* judgeChildren(records: readonly LedgerRecord[]): Generator<Finding> {
  const ended = new Set(records.flatMap((record) => (record.type === 'run-end' ? [record.runId] : [])))
  for (const record of records) {
    if (record.type === 'run-start' && !ended.has(record.run.runId))
      yield { count: 'stuckRuns', text: `${record.run.runId} (depth ${record.run.depth}) has no end` }
  }
}

/** A delegation that failed tells what its sub-agent has done. */
function* judgeAccounts({ effects }: Evidence, records: readonly LedgerRecord[]): Generator<Finding> {
  const busy = new Set(effects.map(({ key }) => key.slice(0, key.indexOf('/'))))
  const results = new Map(
    records.flatMap((record) =>
      record.type === 'call-result' ? [[`${record.runId}/${record.result.callId}`, record]] : [],
    ),
  )
  for (const record of records) {
    if (record.type !== 'run-start' || !record.run.parent || !busy.has(record.run.runId)) continue
    const { runId, callId } = record.run.parent
    const told = results.get(`${runId}/${callId}`)
    if (told && !told.result.ok && !/stays done|Nobody knows/.test(told.message.text))
      yield broken(`${record.run.runId} has changed something, and its delegation says: ${told.message.text}`)
  }
}
