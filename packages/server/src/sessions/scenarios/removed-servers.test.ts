import { describe, expect, it } from 'vitest'
import { openWorld } from '../assistant.fixture.ts'

const at = (url: string) => ({ name: 'Acme', transport: { type: 'http' as const, url } })
const CHOSEN = { effect: 'read', digest: 'd' } as const

describe('a server that the owner removes', () => {
  it.each([
    ['that members may use', true],
    ['that members could use before', false],
  ])(
    'takes all that members have of it along, so that one with its name at another address has none: %s',
    async (_, isStillShared) => {
      const { assistant } = await openWorld()
      const { store, integrations } = assistant
      const { slug } = await assistant.addMcpServer('local', at('https://one.example/mcp'))
      await assistant.changeMcpServer('local', slug, { shared: true })
      const connection = (await integrations.connections.begin('ada', slug))!
      await store.connections.vault.write(connection.id, { token: 'the-token' })
      await store.connections.setActionEffect('ada', slug, 'send', CHOSEN)
      await store.connections.setActionEffect('eve', slug, 'send', CHOSEN) // never connected
      await integrations.connections.setScopes('ada', slug, { read: true, write: true, admin: true })
      await assistant.changeMcpServer('local', slug, { shared: isStillShared })

      await assistant.removeMcpServer('local', slug)
      expect(await assistant.addMcpServer('local', at('https://two.example/mcp'))).toMatchObject({ slug })
      await assistant.changeMcpServer('local', slug, { shared: true })
      expect(await integrations.connections.list('ada')).toEqual([])
      expect(await store.connections.get(connection.id)).toMatchObject({ status: 'disconnected' })
      expect(await store.connections.vault.read(connection.id)).toBeUndefined()
      for (const userId of ['ada', 'eve'])
        expect(await store.connections.actionEffects(userId, slug)).toEqual(new Map())
      expect(await store.connections.scopes('ada', slug)).toMatchObject({ admin: false })
    },
  )
})

describe('a server with the slug of one that left something behind', () => {
  it('starts with nothing of it', async () => {
    const { assistant } = await openWorld()
    const { store, integrations } = assistant
    const row = { id: 'c1', userId: 'ada', connector: 'mcp', toolkit: 'acme', label: '' } as const
    await store.connections.create({ ...row, status: 'active', createdAt: 1, updatedAt: 1 })
    await store.connections.create({
      ...row,
      id: 'c2',
      connector: 'composio',
      status: 'active',
      createdAt: 1,
      updatedAt: 1,
    })
    const { slug } = await assistant.addMcpServer('local', at('https://one.example/mcp'))
    await assistant.changeMcpServer('local', slug, { shared: true })
    expect((await integrations.connections.list('ada')).map(({ id }) => id)).toEqual(['c2'])
  })
})
