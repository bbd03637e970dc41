import { createMcpConnector } from '@capstan/connectors'
import { ConfigurationError } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel } from '@capstan/harness/testing'
import { createBubblewrapSandbox } from '@capstan/sandbox'
import type { ConnectionRow } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import { usePostgres } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { openAuth } from '../../auth/auth.ts'
import { openSharedInstallSecret } from '../../auth/install-secret.ts'
import { openHolds } from '../../sessions/holds.ts'
import { createOwnServers } from '../../sessions/own-servers.ts'
import { createSecretList } from '../../sessions/secret-list.ts'
import { openNamedSecrets } from '../../settings/named-secrets.ts'
import { openSettingsFile } from '../../settings/settings-file.ts'
import { createSettingsStore } from '../../settings/settings-store.ts'
import { openNodes } from '../nodes.fixture.ts'
import type { TestNode } from '../nodes.fixture.ts'

const postgres = usePostgres()
const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

/** Opens the same part on two nodes whose only way to each other is the database and the bell. */
async function onTwo<Part>(open: (node: TestNode) => Part | Promise<Part>): Promise<[Part, Part]> {
  const [a, b] = await openNodes(postgres, 2, { compareMs: 1_000_000 })
  return [await open(a!), await open(b!)]
}

describe('logins of two nodes', () => {
  const openLogins = () =>
    onTwo(async ({ documents }) => {
      const installSecret = await openSharedInstallSecret(documents)
      return openAuth({ folder: '/nowhere', shared: { documents, installSecret } })
    })

  it('are the same: one node makes the ticket, the other redeems it, both know the login', async () => {
    const [a, b] = await openLogins()
    expect(a.token).toBe(b.token)
    const cookie = (await b.redeemTicket(a.mintTicket('ada')))!
    expect(b.identify({ cookie })).toMatchObject({ userId: 'ada' })
    await vi.waitFor(() => expect(a.identify({ cookie })).toEqual(b.identify({ cookie })))
    expect(a.listMembers().map(({ userId }) => userId)).toEqual(['ada'])
  })

  it('are known to a node that has not heard the bell yet, once it catches up', async () => {
    const [a, b] = await openLogins()
    const cookie = (await a.redeemTicket(a.mintTicket('ada')))!
    await b.catchUp()
    expect(b.identify({ cookie })).toMatchObject({ userId: 'ada' })
  })

  it('come from a ticket once, also when both nodes redeem it at the same time', async () => {
    const [a, b] = await openLogins()
    const ticket = a.mintTicket('ada')
    const cookies = await Promise.all([a, b, a, b].map((auth) => auth.redeemTicket(ticket)))
    expect(cookies.filter((cookie) => cookie !== undefined)).toHaveLength(1)
  })

  it('end on both nodes when one of them ends them, and pages leave there', async () => {
    const [a, b] = await openLogins()
    const cookie = (await a.redeemTicket(a.mintTicket('ada')))!
    await vi.waitFor(() => expect(b.identify({ cookie })).toBeDefined())
    const gone: string[] = []
    b.onLogOut((login) => gone.push(login))
    const { login } = a.identify({ cookie })!
    await a.logOut(login!)
    await vi.waitFor(() => expect(gone).toEqual([login]))
    expect(b.identify({ cookie })).toBeUndefined()
  })

  it('end on both nodes when the member is removed, and an older ticket is void on both', async () => {
    const [a, b] = await openLogins()
    const cookie = (await a.redeemTicket(a.mintTicket('ada')))!
    const older = a.mintTicket('ada')
    await vi.waitFor(() => expect(b.identify({ cookie })).toBeDefined())
    expect(await b.removeMember('ada')).toBe(true)
    await vi.waitFor(() => expect(a.identify({ cookie })).toBeUndefined())
    expect(await a.redeemTicket(older)).toBeUndefined()
    expect(await b.redeemTicket(older)).toBeUndefined()
  })

  it('are still ended when one is redeemed on the other node at the same time', async () => {
    const [a, b] = await openLogins()
    const cookie = (await a.redeemTicket(a.mintTicket('ada')))!
    const { login } = a.identify({ cookie })!
    await vi.waitFor(() => expect(b.isGood(login!)).toBe(true))
    await Promise.all([a.logOut(login!), b.redeemTicket(b.mintTicket('bob'))])
    await vi.waitFor(() => expect([a.isGood(login!), b.isGood(login!)]).toEqual([false, false]))
    await vi.waitFor(() => expect(a.listLogins('bob')).toHaveLength(1))
  })
})

describe('a hold', () => {
  it('of one node holds on the other, and is told there with what was before', async () => {
    const [a, b] = await onTwo(({ documents }) => openHolds(documents))
    const heard: unknown[] = []
    b.onHoldsChanged((before) => heard.push([before('ada'), b.of('ada')]))
    await a.set('ada', 7)
    await vi.waitFor(() => expect(heard).toEqual([[undefined, { at: 7, scope: 'own' }]]))
    await Promise.all([a.set(undefined, 8), b.clear('ada')])
    await vi.waitFor(() => expect(b.of('ada')).toEqual({ at: 8, scope: 'everybody' }))
    await vi.waitFor(() => expect(a.of('ada')).toEqual({ at: 8, scope: 'everybody' }))
    await a.clear(undefined)
    await vi.waitFor(() => expect(b.of('ada')).toBeUndefined())
  })

  it('counts for everybody when what is stored cannot be opened', async () => {
    const [a] = await openNodes(postgres, 1)
    await openHolds(a!.documents).set('ada', 7)
    await postgres.run(postgres.urlOf(a!.store), `UPDATE documents SET body = '\\x00', version = 2`)
    await a!.documents.change('hold', () => undefined) // reads it again
    expect(openHolds(a!.documents).of('bob')).toEqual({ at: 0, scope: 'everybody' })
  })
})

describe('settings of two nodes', () => {
  const openSettings = () =>
    onTwo(async ({ documents }) => {
      const secrets = createSecretList([])
      const settings = await createSettingsStore({
        folder: '/nowhere',
        file: openSettingsFile(documents),
        keys: secrets.watchDocuments(documents),
        env: {},
        version: '0',
        hasDemoApp: false,
        ownerId: 'local',
        demo: new ScriptedModel(),
        findLocal: () => Promise.resolve(undefined),
        onProblem: () => {},
      })
      return { settings, secrets }
    })

  it('are the same, with the model and its key, which both nodes hide', async () => {
    const [a, b] = await openSettings()
    expect(b.settings.model('local').isDemo).toBe(true)
    const changed: unknown[] = []
    b.settings.onOthersChange(({ userIds }) => changed.push(...userIds))
    await a.settings.change('local', {
      model: 'openai/gpt-6-sol',
      modelKeys: { openai: KEY },
      theme: 'dark',
    })
    await vi.waitFor(() => expect(b.settings.read('local')).toEqual(a.settings.read('local')))
    expect(b.settings.model('local').client.id).toBe('openai/gpt-6-sol')
    expect(b.secrets.values()).toContain(KEY)
    expect(new Set(changed)).toEqual(new Set(['local']))
  })

  it('keep both changes when two nodes change them at the same time', async () => {
    const [a, b] = await openSettings()
    await Promise.all([
      a.settings.change('local', { theme: 'dark' }),
      b.settings.change('local', { language: 'de' }),
      a.settings.change('ada', { reduceMotion: true }),
    ])
    for (const { settings } of [a, b])
      await vi.waitFor(() => {
        expect(settings.of('local')).toMatchObject({ theme: 'dark', language: 'de' })
        expect(settings.of('ada').reduceMotion).toBe(true)
      })
  })

  it('tell that the key of Composio changed', async () => {
    const [a, b] = await openSettings()
    const changed: boolean[] = []
    b.settings.onOthersChange(({ isComposioChanged }) => changed.push(isComposioChanged))
    await a.settings.change('local', { composioKey: 'ak-composio-0123456789' })
    await vi.waitFor(() => expect(b.settings.composioKey).toBe('ak-composio-0123456789'))
    expect(changed).toContain(true)
  })
})

describe('a named secret', () => {
  it('of one node is usable and hidden on the other, and gone there when it is removed', async () => {
    const [a, b] = await onTwo(({ documents }) => openNamedSecrets(documents, () => {}))
    const changed: string[] = []
    b.onOthersChange((userId) => changed.push(userId))
    await a.put('ada', 'service', { value: KEY, hosts: ['a.example'] }, 1)
    await vi.waitFor(() => expect(b.of('ada').get('service')).toMatchObject({ value: KEY }))
    expect(b.values('ada')).toEqual([KEY])
    expect(b.values('bob')).toEqual([])
    expect(await b.remove('ada', 'service')).toBe(true)
    await vi.waitFor(() => expect(a.list('ada')).toEqual([]))
    expect(changed).toEqual(['ada'])
  })

  it('is not lost when two nodes store one for the same user at the same time', async () => {
    const [a, b] = await onTwo(({ documents }) => openNamedSecrets(documents, () => {}))
    const put = (node: typeof a, name: string) =>
      node.put('ada', name, { value: KEY, hosts: ['a.example'] }, 1)
    await Promise.all([put(a, 'one'), put(b, 'two'), put(a, 'three')])
    for (const node of [a, b])
      await vi.waitFor(() => expect(node.of('ada').names().toSorted()).toEqual(['one', 'three', 'two']))
  })
})

describe('an MCP server that a user added', () => {
  const openServers = () =>
    onTwo(async ({ documents }) => {
      const { vault } = createMemoryStore().connections
      const connector = createMcpConnector({ servers: [], vault })
      const sandbox = createBubblewrapSandbox({ hidden: [] })
      const file = openSettingsFile(documents)
      const servers = createOwnServers({
        file,
        connector,
        presets: [],
        sandbox,
        env: {},
        dataFolder: '/nowhere',
      })
      const problems: unknown[] = []
      await servers.start((problem) => problems.push(problem))
      const slugs = () => connector.servers().map(({ slug }) => slug)
      return { servers, connector, slugs, problems }
    })
  const WIKI = { name: 'Wiki', transport: { type: 'http' as const, url: 'https://wiki.example/mcp' } }

  it('is in the connector of the other node, changes there, and leaves it', async () => {
    const [a, b] = await openServers()
    await a.servers.add(WIKI)
    await vi.waitFor(() => expect(b.slugs()).toEqual(['wiki']))
    expect(b.servers.isShared('wiki')).toBe(false)
    await b.servers.change('wiki', { shared: true, isTrusted: true })
    await vi.waitFor(() => expect(a.servers.isTrusted('wiki')).toBe(true))
    expect(a.servers.isShared('wiki')).toBe(true)
    expect(await a.servers.remove('wiki')).toBe(true)
    await vi.waitFor(() => expect(b.slugs()).toEqual([]))
  })

  it('is synced with the mapping that was set on the other node', async () => {
    const [a, b] = await openServers()
    await a.servers.add(WIKI)
    await vi.waitFor(() => expect(b.slugs()).toEqual(['wiki']))
    const keyOn = ({ connector }: typeof a): string | undefined =>
      connector.syncSource!({ id: 'connection_1', toolkit: 'wiki' } as ConnectionRow)?.key
    expect(keyOn(b)).toBeUndefined()
    const sync = { list: { action: 'list_pages', items: 'pages' }, fields: { id: 'id', text: 'text' } }
    await a.servers.change('wiki', { sync })
    await vi.waitFor(() => expect(keyOn(b)).toBe(keyOn(a)))
    expect(keyOn(b)).toBeDefined()
    await b.servers.change('wiki', { sync: null })
    await vi.waitFor(() => expect(keyOn(a)).toBeUndefined())
  })

  it('has a slug of its own when two nodes add one with the same name at the same time', async () => {
    const [a, b] = await openServers()
    const added = await Promise.allSettled([a.servers.add(WIKI), b.servers.add(WIKI)])
    const refused = added.filter((one) => one.status === 'rejected')
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ConfigurationError)
    if (refused.length > 0) await b.servers.add(WIKI)
    for (const { slugs, servers } of [a, b])
      await vi.waitFor(() => {
        expect(slugs().toSorted()).toEqual(['wiki', 'wiki_2'])
        expect(servers.list()).toHaveLength(2)
      })
    expect([...a.problems, ...b.problems]).toEqual([])
  })
})
