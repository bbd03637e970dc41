import type { Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import { expect, it } from 'vitest'
import { forgetServer } from './forget-server.ts'

it('forgetting a server revokes the grants of all its users, and no others', async () => {
  const done: string[] = []
  const grants = ['acme', 'other', undefined].map((toolkit) => ({
    id: `grant of ${toolkit}`,
    binding: toolkit === undefined ? {} : { app: { toolkit, name: 'An app' } },
  }))
  const store = {
    connections: { users: () => ['ada', 'eve'] },
    approvals: {
      listGrants: () => grants,
      revokeGrant: (userId: string, id: string) => done.push(`${userId}: ${id}`),
    },
  } as unknown as Store
  const connections = { removeApp: async (...app: string[]) => void done.push(app.join(' ')) }
  await forgetServer('acme', { store, integrations: { connections } as unknown as Integrations })
  expect(done).toEqual(['ada: grant of acme', 'eve: grant of acme', 'mcp acme'])
})
