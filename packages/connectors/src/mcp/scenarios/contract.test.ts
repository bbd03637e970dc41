import { createMemoryConnectionStore } from '@capstan/harness/stores'
import type { SecretVault } from '@capstan/harness/stores'
import { testConnector } from '@capstan/harness/testing/suites'
import { createMcpConnector } from '../mcp-connector.ts'
import { startNotesService } from './notes-service.fixture.ts'
import type { StoredSignIn } from '../sign-in/stored-sign-in.ts'

for (const era of ['legacy', 'modern'] as const) {
  testConnector(`an MCP server of the ${era} era, behind a sign-in`, async () => {
    const service = await startNotesService({ era, isGuarded: true })
    const { vault, secrets } = watched(createMemoryConnectionStore().vault)
    const connector = createMcpConnector({
      servers: [{ slug: 'notes', transport: { type: 'http', url: service.url } }],
      vault,
    })
    return {
      connector,
      toolkit: 'notes',
      read: { action: 'list_notes', args: {}, says: 'buy milk' },
      write: { action: 'add_note', args: { text: 'call Bob' }, says: 'call Bob' },
      vault,
      visit: (url, answer) => service.visit(url, answer),
      async revoke({ id }) {
        await service.revoke(((await vault.read(id)) as unknown as StoredSignIn).tokens!.refresh!)
      },
      changeAction: () => service.describe('Lists the notes, and more.'),
      reportsChanges: true,
      makeUnavailable() {
        service.intercept((_, response) => {
          response.writeHead(503).end('down')
          return true
        })
        return () => service.intercept(undefined)
      },
      slow: { action: 'wait', args: {} },
      echoes: [{ action: 'whoami', args: {} }],
      plant: (text) => service.describe(text),
      secrets,
      openHandles: () => service.openRequests(),
      stop: () => service.stop(),
    }
  })
}

/** The vault, and every secret that was ever written to it. */
function watched(vault: SecretVault): {
  readonly vault: SecretVault
  readonly secrets: () => readonly string[]
} {
  const found = new Set<string>()
  return {
    vault: {
      read: (id) => vault.read(id),
      write(id, secret) {
        const { tokens, verifier, client } = secret as unknown as StoredSignIn
        for (const value of [tokens?.access, tokens?.refresh, verifier, client.client_secret]) {
          if (value !== undefined) found.add(value)
        }
        return vault.write(id, secret)
      },
      delete: (id) => vault.delete(id),
    },
    secrets: () => [...found],
  }
}
