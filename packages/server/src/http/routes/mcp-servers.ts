import { z } from 'zod'
import { ApiError, notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId } from '../schemas/common.ts'
import {
  mcpServerPatch,
  mcpServerPost,
  mcpServerPreview,
  mcpServerRow,
  proposedMapping,
} from '../schemas/mcp-servers.ts'

const example = {
  name: 'Files',
  transport: { type: 'http' as const, url: 'https://mcp.example.org/mcp' },
}

const listServers = defineRoute({
  method: 'GET',
  path: '/api/mcp-servers',
  rights: 'owner',
  summary: 'MCP servers that users added.',
  answer: z.strictObject({ servers: z.array(mcpServerRow) }),
  handle: ({ assistant }) => ({ servers: [...assistant.listMcpServers()] }),
})

const previewServer = defineRoute({
  method: 'POST',
  path: '/api/mcp-servers/preview',
  rights: 'owner',
  summary: 'Shows the command that would be started.',
  body: mcpServerPost,
  example,
  answer: mcpServerPreview,
  handle: ({ assistant, body }) => assistant.previewMcpServer(body),
})

const addServer = defineRoute({
  method: 'POST',
  path: '/api/mcp-servers',
  rights: 'fresh-owner',
  summary: 'Adds an MCP server. A command must be confirmed exactly as it was shown.',
  body: mcpServerPost,
  example,
  answer: mcpServerRow,
  handle: ({ assistant, caller, body }) => assistant.addMcpServer(caller.userId, body),
})

const changeServer = defineRoute({
  method: 'PATCH',
  path: '/api/mcp-servers/:slug',
  rights: 'fresh-owner',
  summary:
    'Shares an MCP server, trusts what it says about its actions, changes what its program may reach, or sets how its items become items in memory.',
  params: { slug: anyId },
  body: mcpServerPatch,
  example: { shared: true },
  answer: mcpServerRow,
  async handle({ assistant, caller, params, body }) {
    const changed = await assistant.changeMcpServer(caller.userId, params.slug, body)
    if (!changed) throw notFound()
    return changed
  },
})

const proposeMappings = defineRoute({
  method: 'GET',
  path: '/api/mcp-servers/:slug/sync-proposals',
  rights: 'owner',
  summary:
    'Guesses how the items of a connected MCP server become items in memory. Calls a few of its actions that only read, and changes nothing.',
  params: { slug: anyId },
  answer: z.strictObject({ proposals: z.array(proposedMapping) }),
  async handle({ assistant, caller, params: { slug } }) {
    const proposals = await assistant.proposeMappings(caller.userId, slug).catch(() => {
      // What the server said may hold anything.
      throw new ApiError('unavailable', 'The server did not answer. Try again later.')
    })
    if (proposals === 'unknown') throw notFound()
    if (typeof proposals === 'string') throw new ApiError('conflict', REFUSALS[proposals])
    return { proposals: [...proposals] }
  },
})

const REFUSALS = {
  'not-connected': 'Connect an account of this server first.',
  'no-reading': 'Reading is switched off for this app.',
} as const

const removeServer = defineRoute({
  method: 'DELETE',
  path: '/api/mcp-servers/:slug',
  rights: 'owner',
  summary: 'Removes an MCP server.',
  params: { slug: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.removeMcpServer(caller.userId, params.slug))) throw notFound()
  },
})

export const MCP_SERVER_ROUTES = [
  listServers,
  previewServer,
  addServer,
  changeServer,
  proposeMappings,
  removeServer,
]
