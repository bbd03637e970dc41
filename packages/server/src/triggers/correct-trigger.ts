import type { TriggerAction, TriggerDetail } from '@capstan/protocol'
import type { Jobs } from '../jobs/jobs.ts'
import type { RecordAudit } from '../sessions/record-audit.ts'
import type { Activity } from './activity.ts'
import type { SourceStore } from './source-store.ts'
import { bodyOf, toJson, TRIGGER_JOB } from './trigger-job.ts'

const MAX_EXAMPLES = 20
const EXAMPLE_CHARS = 600
const MAX_NOTE_CHARS = 300

/**
 * Says what would have been right. It becomes an example for the next judgements of the source. Undefined: the user has no
 * such trigger.
 */
export type Correct = (
  userId: string,
  triggerId: string,
  feedback: { readonly right: TriggerAction; readonly note?: string },
) => Promise<TriggerDetail | undefined>

export function createCorrection(parts: {
  readonly jobs: Pick<Jobs, 'get' | 'change'>
  readonly sources: SourceStore
  readonly activity: Activity
  readonly record: RecordAudit
  readonly now: () => number
}): Correct {
  const { jobs, sources, activity, record, now } = parts
  return async (userId, triggerId, { right, note }) => {
    const job = await jobs.get(userId, triggerId)
    if (job?.kind !== TRIGGER_JOB) return undefined
    const body = bodyOf(job)
    const words = note?.trim().slice(0, MAX_NOTE_CHARS)
    const given = { right, ...(words ? { note: words } : undefined) }
    await jobs.change(userId, triggerId, { body: toJson({ ...body, feedback: { ...given, at: now() } }) })
    const { label, payload } = body.envelope
    const example = { triggerId, label, payload: payload.slice(0, EXAMPLE_CHARS), ...given }
    await sources.changeSource(userId, body.sourceId, (source) => {
      const others = source.examples.filter((one) => one.triggerId !== triggerId)
      return { ...source, examples: [...others, example].slice(-MAX_EXAMPLES) }
    })
    await record(userId, 'trigger-feedback', body.sourceId, { right, trigger: triggerId })
    return activity.get(userId, triggerId)
  }
}
