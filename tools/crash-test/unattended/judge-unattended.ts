import { openEmbeddedStore } from '@capstan/stores'
import type { Store } from '@capstan/harness/stores'
import type { LedgerRecord } from '@capstan/harness/stores'
import { checkInvariants } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import type { Finding } from '../counts.ts'
import { roundFiles } from '../round-files.ts'
import { judgeEffects } from './judge-effects.ts'
import { judgeFirings } from './judge-firings.ts'
import { judgeMemory } from './judge-memory.ts'
import { judgeTriggers } from './judge-triggers.ts'
import type { RoundEnd } from './play-round.ts'
import type { UnattendedPlan } from './plan-round.ts'
import type { World } from './play-steps.ts'
import { USER } from './user.ts'

interface UnattendedEvidence extends RoundEnd {
  readonly folder: string
  readonly plan: UnattendedPlan
  readonly world: World
}

/** A turn, by the message that it began with. */
export interface Begun {
  readonly messageId: string
  readonly runId: string
}

/** Judges what a round of work without a person left behind. */
export async function judgeUnattended(evidence: UnattendedEvidence): Promise<readonly Finding[]> {
  const { folder, plan, world, setUp, told } = evidence
  const store = openEmbeddedStore({ folder: roundFiles(folder).store })
  try {
    const threads = await listThreads(store)
    const records = (await Promise.all(threads.map(async (id) => store.ledger.read(id)))).flat()
    const begun = toBegun(records)
    const { presences, settled } = world.time
    const findings: Finding[] = [
      ...(await judgeMemory(store, folder, plan, world.apps)),
      ...judgeTriggers(told.triggers, world.outbox.accepted, begun),
      ...(await judgeEffects(store, folder, records)),
      ...(await findStuck(store, world)),
      ...world.outbox.refused.map((text) => ({ count: 'invariantBreaks', text }) as const),
    ]
    for (const schedule of plan.setUp.schedules) {
      const { id, since } = setUp.schedules[schedule.name]!
      const prefix = `${id} due `
      const fired = begun
        .filter(({ messageId }) => messageId.startsWith(prefix))
        .map(({ messageId }) => Number(messageId.slice(prefix.length)))
      const history = told.schedules.find((row) => row.id === id)?.runs ?? []
      findings.push(
        ...judgeFirings({ schedule, id, since, until: world.time.now(), fired, presences, settled, history }),
      )
    }
    for (const text of await checkInvariants(store, threads))
      findings.push({ count: 'invariantBreaks', text })
    for (const { text } of (await store.audit.verify()).problems)
      findings.push({ count: 'invariantBreaks', text: `audit log: ${text}` })
    for (const notice of store.notices)
      findings.push({ count: 'invariantBreaks', text: `store notice: ${notice}` })
    return findings
  } finally {
    await store.close()
  }
}

async function listThreads({ threads }: Store): Promise<readonly ThreadId[]> {
  const found: ThreadId[] = []
  const rows = await threads.list({ userId: USER })
  for (const { id } of rows) found.push(id)
  return found
}

const toBegun = (records: readonly LedgerRecord[]): readonly Begun[] =>
  records.flatMap((record) =>
    record.type === 'run-start' && record.run.depth === 0 && record.run.messageId !== undefined
      ? [{ messageId: record.run.messageId, runId: record.run.runId }]
      : [],
  )

/** Everything has ended, or waits for a person. */
async function findStuck(store: Store, { outbox }: World): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { id, status } of await store.runs.unfinished())
    if (status !== 'waiting') findings.push({ count: 'stuckRuns', text: `${id} is ${status}` })
  if (outbox.left > 0) findings.push({ count: 'stuckRuns', text: `${outbox.left} hooks were never accepted` })
  return findings
}
