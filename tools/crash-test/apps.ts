import { createMcpConnector } from '@capstan/connectors'
import type { Store } from '@capstan/harness/stores'
import type { Integrations } from '@capstan/harness/integrations'
import { createIntegrations } from '@capstan/harness/integrations'
import { TOOLKIT } from './scenario.ts'

const VISITOR = { browserId: 'a-cookie', redirectUri: 'http://127.0.0.1:9/oauth/callback' }

/** The app of the round as the process reaches it. */
export interface Apps extends Integrations {
  /** Connects the app, if it is not connected and answers. */
  connect(): Promise<void>
  /** Disconnects the app, as a person does under Connections. */
  disconnect(): Promise<void>
}

export function openApps(store: Store, url: string, userId: string): Apps {
  const server = { slug: TOOLKIT, name: 'Stock', auth: 'none', transport: { type: 'http', url } } as const
  const connector = createMcpConnector({ servers: [server], vault: store.connections.vault })
  const integrations = createIntegrations({ connectors: [connector], store: store.connections })
  const { connections } = integrations
  const active = async () => (await connections.list(userId)).find(({ status }) => status === 'active')
  return {
    ...integrations,
    async connect() {
      if (await active()) return
      const begun = await connections.begin(userId, TOOLKIT)
      if (begun) await connections.signIn(begun.id, { ...VISITOR, userId })
    },
    async disconnect() {
      const connection = await active()
      if (connection) await connections.disconnect(userId, connection.id)
    },
  }
}
