import type { Integrations } from '@capstan/harness/integrations'
import type { Allowance, Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { openMemoryVectors } from '../memory/vectors/memory-vectors.ts'
import type { MemoryVectors } from '../memory/vectors/memory-vectors.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { InstallationDocuments } from '../documents/installation-documents.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { createNotifications } from '../notifications/notifications.ts'
import { openSchedules } from '../schedules/open-schedules.ts'
import type { Schedules } from '../schedules/schedules.ts'
import type { MemberLimits } from '../settings/member-limits.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { noteRemoved } from '../sync/left-out.ts'
import type { MemorySync } from '../sync/memory-sync.ts'
import { openMemorySync } from '../sync/memory-sync.ts'
import { judgeModelsOf } from '../triggers/judge-models.ts'
import type { Triggers } from '../triggers/triggers.ts'
import { openTriggers } from '../triggers/triggers.ts'
import { createAdmitUnattended } from '../unattended/admit-unattended.ts'
import type { Unattended } from '../unattended/unattended.ts'
import { createUnattended } from '../unattended/unattended.ts'
import type { RecordAudit } from './record-audit.ts'
import type { StoredBytes } from './stored-bytes.ts'
import type { UpdateListeners } from './update-listeners.ts'

/** What is done while nobody looks. */
export async function openUnattended(
  ownerId: string,
  parts: {
    readonly documents: InstallationDocuments
    readonly store: Store
    readonly integrations: Integrations
    readonly nodes: Nodes
    readonly jobs: Jobs
    readonly settings: SettingsStore
    readonly allowanceOf: (userId: string) => Allowance
    readonly limits: MemberLimits
    readonly storedBytes: StoredBytes
    readonly record: RecordAudit
    readonly updates: UpdateListeners
    readonly clock: Clock
    readonly onProblem: (problem: unknown) => void
  },
): Promise<{
  readonly unattended: Unattended
  readonly triggers: Triggers
  readonly sync: MemorySync
  readonly vectors: MemoryVectors
  readonly schedules: Schedules
  readonly notifications: Notifications
  /** The store as people and their tools use it. */
  readonly store: Store
}> {
  const { documents, store, nodes, settings, jobs, clock } = parts
  const unattended = createUnattended({ ...nodes, store, admit: createAdmitUnattended(ownerId, parts) })
  const note = (userId: string): void => nodes.publish({ userId, type: 'jobs-change' })
  const notifications = createNotifications({ ...parts, documents: documents.secret, note })
  const triggers = await openTriggers({
    ...parts,
    documents: documents.secret,
    runs: store.runs,
    connections: store.connections,
    unattended: () => unattended,
    modelsOf: (userId, name) => judgeModelsOf(settings, userId, name),
    checkModel: (userId, name) => void settings.makeModel(userId, name),
    note,
    tell: notifications.tell,
  })
  const schedules = openSchedules(jobs, unattended, () => clock.now(), notifications.tell)
  const vectors = openMemoryVectors(ownerId, parts)
  const sync = openMemorySync({ ...parts, beginReport: triggers.beginItems })
  const memory = noteRemoved(store.memory, (userId, items) => sync.leaveOut(userId, items))
  return {
    unattended,
    triggers,
    sync,
    vectors,
    schedules,
    notifications,
    store: { ...store, memory },
  }
}
