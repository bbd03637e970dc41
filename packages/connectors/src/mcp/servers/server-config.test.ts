import { ConfigurationError } from '@capstan/harness'
import { createMemoryConnectionStore } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import { createMcpConnector } from '../mcp-connector.ts'
import type { McpServerConfig } from './server-config.ts'

const http = (url: string, more: Partial<McpServerConfig> = {}): McpServerConfig => ({
  slug: 'notes',
  transport: { type: 'http', url },
  ...more,
})

const create = (...servers: readonly McpServerConfig[]) =>
  createMcpConnector({ servers, vault: createMemoryConnectionStore().vault })

describe('the configuration of an MCP server', () => {
  it.each([
    http('https://mcp.example/mcp'),
    http('http://127.0.0.1:3000/mcp'),
    http('http://localhost:3000/mcp'),
    http('http://[::1]:3000/mcp'),
    http('http://mcp.example/mcp', { auth: 'none' }),
    { slug: 'files', transport: { type: 'stdio', command: 'files' } } satisfies McpServerConfig,
  ])('is taken: %j', async (config) => {
    expect(await create(config).toolkits()).toMatchObject([{ slug: config.slug, connector: 'mcp' }])
  })

  it.each([
    ['slug', http('https://mcp.example/', { slug: 'My Notes' })],
    ['servers.notes.transport.url', http('nonsense')],
    ['servers.notes.transport.url', http('ftp://mcp.example/')],
    ['servers.notes.transport.url', http('http://mcp.example/')],
    ['servers.notes.transport.url', http('https://ada:secret@mcp.example/')],
    ['servers.notes.transport.command', { slug: 'notes', transport: { type: 'stdio', command: '' } }],
    ['servers.notes.auth', { slug: 'notes', transport: { type: 'stdio', command: 'x' }, auth: 'oauth' }],
  ] satisfies [string, McpServerConfig][])('is refused with the field %s', (field, config) => {
    expect(() => create(config)).toThrow(expect.objectContaining({ field }) as Error)
    expect(() => create(config)).not.toThrow('secret@')
  })

  it('is refused for a slug that is taken', () => {
    const connector = create(http('https://mcp.example/'))
    expect(() => connector.addServer(http('https://other.example/'))).toThrow(ConfigurationError)
  })
})
