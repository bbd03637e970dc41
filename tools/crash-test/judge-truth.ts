import type { RunId, ThreadId } from '@capstan/protocol'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { Finding } from './counts.ts'
import type { Effect } from './services.ts'

/** What a round left behind, as far as it is compared here. */
interface Evidence {
  readonly effects: readonly Effect[]
  readonly records: ReadonlyMap<ThreadId, readonly LedgerRecord[]>
  readonly store: Store
  readonly isLossTold: boolean
}

const broken = (text: string): Finding => ({ count: 'invariantBreaks', text })

/** Nothing runs against an answer, nothing stays open under a turn that ended, and nothing that was done is kept quiet. */
export async function judgeTruth(evidence: Evidence): Promise<readonly Finding[]> {
  const records = [...evidence.records.values()].flat()
  return [
    ...(await judgeRefusals(evidence, records)),
    ...judgeChildren(records),
    ...judgeAccounts(evidence, records),
    ...judgeBeginnings(records),
  ]
}

/** A call that was refused, or whose question nobody answered, has no effect; every answer was announced. */
async function judgeRefusals(
  { effects, store, isLossTold }: Evidence,
  records: readonly LedgerRecord[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const done = new Set(effects.map(({ key }) => key))
  const announced = new Set(
    records.flatMap((record) =>
      record.type === 'event' && record.event.type === 'approval-answer' ? [record.event.approvalId] : [],
    ),
  )
  const repeated = findRepeated(records)
  const runs = records.flatMap((record) => (record.type === 'run-start' ? [record.run.runId] : []))
  for (const { id, runId, callId, decision = 'open' } of await store.approvals.ofRuns(runs)) {
    // With the end of a log a yes is lost, too: its turn was ended as one of which nobody knows how far it came.
    const isYesLost = decision === 'withdrawn' && isLossTold
    const isRefused = !decision.startsWith('allow') && !isYesLost
    if (isRefused && done.has(`${runId}/${callId}`) && !repeated.has(id))
      findings.push(broken(`${runId}/${callId} was done, and its question ${id} ended ${decision}`))
    if (!announced.has(id) && !isLossTold)
      findings.push(broken(`the answer ${decision} to ${id} has no event`))
  }
  return findings
}

/** Questions about calls that had been started before: the answer is about running them again. */
function findRepeated(records: readonly LedgerRecord[]): ReadonlySet<string> {
  const started = new Set<string>()
  const repeated = new Set<string>()
  for (const record of records) {
    if (record.type === 'call-intent') started.add(`${record.runId}/${record.callId}`)
    if (record.type !== 'approval-open') continue
    const { id, runId, callId } = record.request
    if (started.has(`${runId}/${callId}`)) repeated.add(id)
  }
  return repeated
}

/** Every run below a turn has an end. */
function* judgeChildren(records: readonly LedgerRecord[]): Generator<Finding> {
  const ended = new Set(records.flatMap((record) => (record.type === 'run-end' ? [record.runId] : [])))
  for (const record of records) {
    if (record.type === 'run-start' && !ended.has(record.run.runId))
      yield { count: 'stuckRuns', text: `${record.run.runId} (depth ${record.run.depth}) has no end` }
  }
}

/** Each message id begins one turn. */
function* judgeBeginnings(records: readonly LedgerRecord[]): Generator<Finding> {
  const begun = new Set<string>()
  for (const record of records) {
    const messageId = record.type === 'run-start' ? record.run.messageId : undefined
    if (messageId === undefined) continue
    if (begun.has(messageId)) yield broken(`${messageId} has begun a second turn`)
    begun.add(messageId)
  }
}

/** What failed above a change tells of it, and nothing above a change says that nothing was done. */
function* judgeAccounts({ effects }: Evidence, records: readonly LedgerRecord[]): Generator<Finding> {
  const parents = new Map(
    records.flatMap((record) => (record.type === 'run-start' ? [[record.run.runId, record.run.parent]] : [])),
  )
  const results = new Map(
    records.flatMap((record) =>
      record.type === 'call-result' ? [[`${record.runId}/${record.result.callId}`, record]] : [],
    ),
  )
  const ends = new Map(
    records.flatMap((record) => (record.type === 'run-end' ? [[record.runId, record.outcome.text]] : [])),
  )
  for (const { key, tag } of effects) {
    let runId = key.slice(0, key.indexOf('/')) as RunId
    for (let parent = parents.get(runId); parent; parent = parents.get(runId)) {
      const told = results.get(`${parent.runId}/${parent.callId}`)
      const text = told?.message.text ?? ''
      if (told && !told.result.ok && !/stays done|Nobody knows/.test(text))
        yield broken(`${runId} has done ${tag}, and its delegation says: ${text}`)
      if (saysNothing(text)) yield broken(`${runId} has done ${tag}, and its delegation says: ${text}`)
      runId = parent.runId
    }
    if (saysNothing(ends.get(runId) ?? ''))
      yield broken(`${runId} has done ${tag}, and says: ${ends.get(runId)}`)
  }
}

const saysNothing = (text: string): boolean => /nothing was (done|changed)|did nothing/i.test(text)
