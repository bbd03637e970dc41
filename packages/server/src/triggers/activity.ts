import type { JobRow } from '@capstan/harness/stores'
import type {
  TriggerAction,
  TriggerDetail,
  TriggerPage,
  TriggerRow,
  TriggerSourceCalls,
} from '@capstan/protocol'
import type { Jobs } from '../jobs/jobs.ts'
import type { Unattended } from '../unattended/unattended.ts'
import type { SourceStore } from './source-store.ts'
import { dayOf } from './stored-source.ts'
import { toTriggerOutcome } from './start-turn.ts'
import { bodyOf, stateOf, TRIGGER_JOB } from './trigger-job.ts'

/** Which triggers to list. */
interface ActivityQuery {
  readonly sourceId?: string
  readonly action?: TriggerAction
  /** The `next` of the page before. */
  readonly after?: string
  readonly limit: number
}

/** What came in, and what became of it. */
export interface Activity {
  /** Undefined when `after` names no trigger of this user. */
  list(userId: string, query: ActivityQuery): Promise<TriggerPage | undefined>
  get(userId: string, id: string): Promise<TriggerDetail | undefined>
  /** What the sources sent lately. */
  calls(userId: string): Promise<readonly TriggerSourceCalls[]>
}

const PAGE = 100
/** A page reads at most so many rows; the next page goes on from there. */
const MOST_READ = 1_000

export function createActivity(parts: {
  readonly jobs: Pick<Jobs, 'get' | 'list'>
  readonly sources: SourceStore
  readonly unattended: () => Pick<Unattended, 'outcomeOf'>
  readonly now: () => number
}): Activity {
  const { jobs, sources, unattended, now } = parts

  async function toRow(job: JobRow): Promise<TriggerRow> {
    const { envelope, sourceId, feedback } = bodyOf(job)
    const { waitsFor, decision, costUsd, threadId, outcome } = stateOf(job)
    const { prompt: _, ...shown } = decision ?? {}
    // What waits for a person, or runs, may have gone on since the row was stored.
    const isOpen = outcome?.type === 'waits' || outcome?.type === 'running'
    const shownOutcome =
      isOpen && threadId !== undefined
        ? toTriggerOutcome(await unattended().outcomeOf(job.userId, threadId, job.id))
        : outcome
    return {
      id: job.id,
      sourceId,
      sourceName: sources.find(job.userId, sourceId)?.name ?? envelope.source.app,
      label: envelope.label,
      receivedAt: envelope.receivedAt,
      status: job.status,
      ...(waitsFor !== undefined && { waitsFor }),
      ...(job.status === 'waiting' && job.nextAt !== undefined && { nextAt: job.nextAt }),
      ...(decision && { decision: shown as typeof decision }),
      costUsd,
      ...(threadId !== undefined && { threadId }),
      ...(shownOutcome && { outcome: shownOutcome }),
      ...(feedback && { feedback }),
      ...(job.lastFailure && { failure: job.lastFailure }),
    }
  }

  const fits = (job: JobRow, { sourceId, action }: ActivityQuery): boolean =>
    (sourceId === undefined || bodyOf(job).sourceId === sourceId) &&
    (action === undefined || stateOf(job).decision?.action === action)

  return {
    async list(userId, query) {
      let cursor = query.after === undefined ? undefined : await jobs.get(userId, query.after)
      if (query.after !== undefined && cursor?.kind !== TRIGGER_JOB) return undefined
      const found: JobRow[] = []
      for (let read = 0; read < MOST_READ; read += PAGE) {
        const page = await jobs.list(userId, { kind: TRIGGER_JOB, ...(cursor && { cursor }), limit: PAGE })
        for (const job of page) {
          if (fits(job, query)) {
            if (found.length === query.limit)
              return { triggers: await Promise.all(found.map(toRow)), next: cursor!.id }
            found.push(job)
          }
          cursor = job
        }
        if (page.length < PAGE) return { triggers: await Promise.all(found.map(toRow)) }
      }
      return { triggers: await Promise.all(found.map(toRow)), ...(cursor && { next: cursor.id }) }
    },
    async get(userId, id) {
      const job = await jobs.get(userId, id)
      if (job?.kind !== TRIGGER_JOB) return undefined
      return { ...(await toRow(job)), payload: bodyOf(job).envelope.payload }
    },
    async calls(userId) {
      const found = new Map<string, { lastAt: number; decidedToday: number }>()
      const today = dayOf(now())
      let cursor: JobRow | undefined
      for (let read = 0; read < MOST_READ; read += PAGE) {
        const page = await jobs.list(userId, { kind: TRIGGER_JOB, ...(cursor && { cursor }), limit: PAGE })
        for (const job of page) {
          const { sourceId, envelope } = bodyOf(job)
          const of = found.get(sourceId) ?? { lastAt: envelope.receivedAt, decidedToday: 0 }
          const decidedAt = stateOf(job).decision?.at
          if (decidedAt !== undefined && dayOf(decidedAt) === today) of.decidedToday += 1
          found.set(sourceId, of)
        }
        cursor = page.at(-1)
        if (page.length < PAGE) break
      }
      return [...found].map(([sourceId, of]) => ({ sourceId, ...of }))
    },
  }
}
