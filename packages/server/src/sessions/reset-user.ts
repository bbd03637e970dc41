import type { Threads } from '@capstan/harness'
import type { Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import type { Notifications } from '../notifications/notifications.ts'
import type { Triggers } from '../triggers/triggers.ts'

/** Deletes the sources of triggers, the jobs, the threads, the standing permissions, the connections and the memory of one user. */
export async function resetUser(
  userId: string,
  parts: {
    readonly store: Store
    readonly integrations: Integrations
    readonly threads: Threads
    readonly triggers: Pick<Triggers, 'forget'>
    readonly notifications: Pick<Notifications, 'forget'>
  },
): Promise<void> {
  const { store, integrations, threads, triggers, notifications } = parts
  await triggers.forget(userId)
  await store.jobs.removeAllOf(userId)
  await notifications.forget(userId)
  for (const archived of [false, true]) {
    for (;;) {
      const page = await threads.list({ archived, limit: 100 })
      for (const { id } of page) await threads.delete(id)
      if (page.length === 0) break
    }
  }
  for (const { id } of await store.approvals.listGrants(userId, 0))
    await store.approvals.revokeGrant(userId, id)
  for (const { id } of await integrations.connections.list(userId))
    await integrations.connections.disconnect(userId, id)
  for (const source of await store.memory.sources(userId)) await store.memory.removeAll(userId, source)
  await store.memory.facts.removeAll(userId)
}
