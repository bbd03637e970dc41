import type { MemoryItem, Store } from '@capstan/harness/stores'
import type { Finding } from '../counts.ts'
import { toSlug } from './app-connector.ts'
import { findRepeatedPuts } from './note-puts.ts'
import type { UnattendedPlan } from './plan-round.ts'
import type { AppKind, SyncedApps } from './synced-app.ts'
import { toWord } from './synced-app.ts'
import { USER } from './user.ts'

/** What is in memory is what the apps hold: each item once, found by its words, in the version of now. */
export async function judgeMemory(
  store: Store,
  folder: string,
  { setUp }: UnattendedPlan,
  apps: SyncedApps,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const app of setUp.apps) findings.push(...(await judgeApp(store, app, apps)))
  for (const name of findRepeatedPuts(folder))
    findings.push({ count: 'itemsRepeated', text: `${name} was stored again` })
  return findings
}

async function judgeApp({ memory }: Store, app: AppKind, apps: SyncedApps): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const wanted = apps.items(app)
  const kept = new Map<string, MemoryItem>()
  for (const item of await memory.list(USER, { app: toSlug(app) })) {
    const id = item.externalId
    const name = `${app} ${id}`
    if (kept.has(id)) findings.push({ count: 'itemsRepeated', text: `${name} is in memory twice` })
    kept.set(id, item)
    if (!wanted.has(id)) findings.push({ count: 'itemsStale', text: `${name} was deleted and is in memory` })
  }
  for (const [id, { version, text }] of wanted) {
    const name = `${app} ${id} in version ${version}`
    const item = kept.get(id)
    if (!item) {
      findings.push({ count: 'itemsLost', text: `${name} is not in memory` })
      continue
    }
    if (item.version !== version || item.text !== text) {
      findings.push({ count: 'itemsStale', text: `${name} is in memory in version ${item.version}` })
      continue
    }
    const hits = await memory.search(USER, { words: toWord(app, id, version ?? ''), limit: 3 })
    if (!hits.some((hit) => hit.item.id === item.id))
      findings.push({ count: 'itemsLost', text: `${name} is in memory and is not found` })
  }
  return findings
}
