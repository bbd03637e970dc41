import { randomUUID } from 'node:crypto'
import { createEnvelope } from '@capstan/harness/triage'
import type { EnvelopeSource } from '@capstan/harness/triage'
import type { Integrations } from '@capstan/harness/integrations'
import type { RunStore, Store } from '@capstan/harness/stores'
import type { TriggerDetail } from '@capstan/protocol'
import type { Documents } from '../documents/documents.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { RecordAudit } from '../sessions/record-audit.ts'
import type { Tell } from '../notifications/notifications.ts'
import type { BeginReport } from '../sync/sync-handler.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { createConnectionCheck } from './check-connection.ts'
import { createActivity } from './activity.ts'
import type { Activity } from './activity.ts'
import type { Correct } from './correct-trigger.ts'
import { createCorrection } from './correct-trigger.ts'
import { createDailyBudget } from './daily-budget.ts'
import type { DecideParts } from './decide-trigger.ts'
import { createCleanUp } from './clean-up.ts'
import { createItemReports } from './items/item-reports.ts'
import type { Occurrence } from './occurrence.ts'
import type { SourceMethods } from './source-methods.ts'
import { createSourceMethods } from './source-methods.ts'
import type { SourceStore } from './source-store.ts'
import { openSourceStore } from './source-store.ts'
import type { StoredSource } from './stored-source.ts'
import { toJson, TRIGGER_JOB, triggerIdOf } from './trigger-job.ts'
import { openWatches } from './watch/open-watches.ts'
import { createTriggerHandler } from './trigger-handler.ts'

/** What happens while nobody looks: where it comes from, what becomes of it, and why. */
export interface Triggers {
  readonly sources: SourceMethods
  readonly activity: Activity
  /** Whose source receives calls at this address, with its secret. */
  findHook: SourceStore['findHook']
  /**
   * Stores an occurrence; it is decided later. Settles when it is stored. `duplicate`: it was stored before. Undefined: the
   * user has no such source.
   */
  receive(
    userId: string,
    sourceId: string,
    occurrence: Occurrence,
  ): Promise<{ readonly id: string; readonly isDuplicate: boolean } | undefined>
  /** New and changed items of a sync become triggers of the sources that are bound to the connection. */
  readonly beginItems: BeginReport
  /** Sends a trigger as if the source had called. Undefined: there is no such source. */
  test(userId: string, sourceId: string, payload?: string): Promise<TriggerDetail | undefined>
  /** Removes all sources of a user. */
  forget(userId: string): Promise<void>
  readonly correct: Correct
}

export interface TriggerParts extends Omit<DecideParts, 'sources' | 'budget'> {
  readonly documents: Documents
  readonly integrations: Pick<Integrations, 'connections' | 'bus' | 'syncSource' | 'watch'>
  readonly connections: Pick<Store['connections'], 'scopes'>
  readonly jobs: Jobs
  readonly runs: Pick<RunStore, 'findByMessage'>
  readonly unattended: () => Unattended
  readonly record: RecordAudit
  /** An escalated trigger is told. */
  readonly tell: Tell
  readonly checkModel: (userId: string, name: string) => void
  readonly note: (userId: string) => void
  readonly onProblem: (problem: unknown) => void
}

export async function openTriggers(parts: TriggerParts): Promise<Triggers> {
  const { jobs, clock, record, unattended } = parts
  const now = (): number => clock.now()
  const sources = await openSourceStore(parts.documents, parts.onProblem)
  const activity = createActivity({ jobs, sources, unattended, now })
  const checkConnection = createConnectionCheck(parts.integrations)
  const cleanUp = createCleanUp(jobs, now, parts.onProblem)
  jobs.register(
    createTriggerHandler({
      ...parts,
      sources,
      budget: createDailyBudget(sources, now),
      unattended: {
        run: (request) => unattended().run(request),
        find: (request) => unattended().find(request),
        outcomeOf: (...args) => unattended().outcomeOf(...args),
      },
    }),
  )

  const receive: Triggers['receive'] = async (userId, sourceId, occurrence) => {
    const source = sources.find(userId, sourceId)
    if (!source) return undefined
    const id = triggerIdOf(sourceId, occurrence.externalId)
    const envelope = createEnvelope({ ...occurrence, source: toEnvelopeSource(source), receivedAt: now() })
    const { added } = await jobs.add({
      id,
      userId,
      kind: TRIGGER_JOB,
      key: `trigger ${sourceId}`,
      title: envelope.label,
      body: toJson({ sourceId, envelope }),
      nextAt: now(),
    })
    cleanUp(userId)
    return { id, isDuplicate: !added }
  }

  const watches = openWatches({ ...parts, sources, receive })
  await watches.start()

  return {
    sources: createSourceMethods({ ...parts, sources, now, watches, checkConnection }),
    activity,
    findHook: (hookId) => sources.findHook(hookId),
    receive,
    beginItems: createItemReports(sources, receive),
    async test(userId, sourceId, payload = '{"test": true}') {
      const externalId = `test ${randomUUID()}`
      const received = await receive(userId, sourceId, { externalId, label: 'Test', payload })
      return received && activity.get(userId, received.id)
    },
    async forget(userId) {
      const { sources: removed } = sources.of(userId)
      if (removed.length > 0) await sources.change(userId, (before) => ({ ...before, sources: [] }))
      for (const source of removed) await watches.end(userId, source)
    },
    correct: createCorrection({ jobs, sources, activity, record, now }),
  }
}

const toEnvelopeSource = ({ id, kind, name }: StoredSource): EnvelopeSource => ({
  kind: ENVELOPE_KINDS[kind] ?? 'webhook',
  id,
  app: kind === 'generic' || kind === 'sync' || kind === 'resource' ? name : kind,
})

const ENVELOPE_KINDS: { readonly [kind in StoredSource['kind']]?: EnvelopeSource['kind'] } = {
  sync: 'sync',
  resource: 'resource',
  composio: 'app-trigger',
}
