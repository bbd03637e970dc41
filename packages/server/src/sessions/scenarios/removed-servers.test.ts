import { describe, expect, it } from 'vitest'
import { openWorld } from '../assistant.fixture.ts'

const at = (url: string) => ({ name: 'Acme', transport: { type: 'http' as const, url } })

describe('a server that the owner removes', () => {
  it('takes the connections of members along, so that a server with its name at another address has none', async () => {
    const { assistant } = await openWorld()
    const { connections } = assistant.integrations
    const { slug } = await assistant.addMcpServer('local', at('https://one.example/mcp'))
    await assistant.changeMcpServer(slug, { shared: true })
    expect(await connections.begin('ada', slug)).toBeDefined()
    await assistant.removeMcpServer('local', slug)
    expect(await assistant.addMcpServer('local', at('https://two.example/mcp'))).toMatchObject({ slug })
    await assistant.changeMcpServer(slug, { shared: true })
    expect(await connections.list('ada')).toEqual([])
  })
})
