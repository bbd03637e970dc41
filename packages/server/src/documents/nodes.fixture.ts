import { openBell } from '@capstan/stores/postgres'
import type { Bell, PostgresStore } from '@capstan/stores/postgres'
import { onTestFinished } from 'vitest'
import type { PostgresServer } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { openPostgresDocuments } from './postgres-documents.ts'
import type { SharedDocuments } from './postgres-documents.ts'

/** What a node has of its own: a store, a bell and its copy of the documents. */
export interface TestNode {
  readonly store: PostgresStore
  readonly bell: Bell
  readonly documents: SharedDocuments
  readonly problems: readonly unknown[]
}

/** Opens nodes on one database, in this process. */
export async function openNodes(
  postgres: PostgresServer,
  count: number,
  options: { readonly compareMs?: number } = {},
): Promise<readonly TestNode[]> {
  const nodes: TestNode[] = []
  let url: string | undefined
  for (let number = 0; number < count; number++) {
    const nodeId = `node-${number}`
    const store = await postgres.open({ nodeId, ...(url !== undefined && { url }) })
    url ??= postgres.urlOf(store)
    const problems: unknown[] = []
    const onProblem = (problem: unknown): void => void problems.push(problem)
    const bell = await openBell({ url, nodeId, onProblem })
    const documents = await openPostgresDocuments({ rows: store.documents, bell, onProblem, ...options })
    onTestFinished(async () => {
      await documents.close()
      await bell.close()
    })
    nodes.push({ store, bell, documents, problems })
  }
  return nodes
}
