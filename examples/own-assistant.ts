// The whole assistant with a tool, a sub-agent and an app of your own: HTTP, sockets and the login on one port.
import { createLocalConnector, defineAction } from '@capstan/connectors'
import { defineTool } from '@capstan/harness'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import { z } from 'zod'

const stock = defineTool({
  name: 'stock',
  description: 'Counts how many of an article are in stock.',
  input: z.object({ article: z.string() }),
  effect: 'read',
  run: ({ article }) => `${article}: 12 in stock`,
})
const listOrders = defineAction({
  name: 'list_orders',
  description: 'Lists the open orders.',
  input: z.object({}),
  effect: 'read',
  run: () => 'Order 7: 3 lanterns',
})
const orders = { slug: 'orders', name: 'Orders', description: 'Orders.', actions: [listOrders] }
const buyer = { id: 'buyer', description: 'Plans orders.', instructions: 'Use stock.', tools: ['stock'] }
const own = { tools: [stock], agents: [buyer], connectors: [createLocalConnector({ toolkits: [orders] })] }

const folder = process.env['CAPSTAN_HOME'] ?? '.capstan'
const policy = [{ tool: 'web_fetch', decision: 'deny' as const }]
const limits = { maxIterations: 20 }
const assistant = await createAssistant({ folder, policy, limits, mode: 'read-only', ...own })
const auth = openAuth({ folder })
const server = await startServer({ assistant, auth, port: 0 })
process.once('SIGTERM', () => void server.stop())
console.log(`${server.url}/login?ticket=${auth.mintTicket()}`)
