import { createLocalConnector } from '@capstan/connectors'
import type { Connector } from '@capstan/harness/connectors'
import type { SyncEntry, SyncPage, SyncSource } from '@capstan/harness/memory'
import type { AppKind, AppQuestion } from './synced-app.ts'
import { APP_KINDS } from './synced-app.ts'

/** Reaches the apps of the round. */
export const createAppConnector = (url: string): Connector =>
  createLocalConnector({
    toolkits: APP_KINDS.map((app) => ({
      slug: toSlug(app),
      name: app,
      description: 'Holds items.',
      actions: [],
      sync: () => createSource(url, app),
    })),
  })

/** The toolkit of an app. */
export const toSlug = (app: AppKind): string => app.replace('-', '_')

function createSource(url: string, app: AppKind): SyncSource {
  async function ask(question: AppQuestion, signal: AbortSignal): Promise<unknown> {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(question), signal })
    if (!answer.ok)
      throw Object.assign(new Error(`the app answered ${answer.status}`), { status: answer.status })
    return answer.json()
  }
  const page: SyncSource['page'] = async (cursor, signal) =>
    (await ask({ app, page: cursor ?? null }, signal)) as SyncPage
  if (app === 'changes') return { kind: 'changes', page }
  return {
    kind: 'list',
    isNewestFirst: app === 'newest-first',
    page,
    read: async ({ id }, signal) => ((await ask({ app, read: id }, signal)) as SyncEntry | null) ?? undefined,
  }
}
