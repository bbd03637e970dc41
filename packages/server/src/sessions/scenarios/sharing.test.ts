import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ModelClient } from '@capstan/harness'
import { ScriptedModel, calls, says } from '@capstan/harness/testing'
import type {
  ApiProblem,
  ConnectionRow,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  Settings,
  SignInReply,
  ThreadSummary,
  ToolkitList,
} from '@capstan/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAuth } from '../../auth/auth.ts'
import type { Client } from '../../http/test-server.fixture.ts'
import { redeem, toClient } from '../../http/test-server.fixture.ts'
import { startServer } from '../../serve.ts'
import type { AssistantOptions } from '../assistant-options.ts'
import { createFolder, openWorld } from '../assistant.fixture.ts'

const TIMEOUT = { timeout: 60_000 }
const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
)
const STDIO: McpServerPost = {
  name: 'Every thing',
  transport: {
    type: 'stdio',
    command: process.execPath,
    args: [join(everything, '..', 'dist', 'index.js')],
  },
}

async function start(options: Partial<AssistantOptions> = {}) {
  const folder = options.folder ?? (await createFolder())
  const world = await openWorld({ ...options, folder })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant: world.assistant, auth, port: 0, checkAnswers: true })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const logIn = async (userId: string): Promise<Client> => {
    const answer = await redeem(server.url, auth.mintTicket(userId))
    return toClient(server, answer.headers.getSetCookie()[0]!.split(';')[0]!, userId)
  }
  return { ...world, folder, owner: await logIn('local'), ada: await logIn('ada') }
}

async function addServer(owner: Client, post = STDIO): Promise<McpServerRow> {
  const { command } = await owner.json<McpServerPreview>('POST', '/api/mcp-servers/preview', post)
  return owner.json('POST', '/api/mcp-servers', {
    ...post,
    ...(command === undefined ? undefined : { confirmedCommand: command }),
  })
}

const appsOf = async (client: Client): Promise<readonly string[]> =>
  (await client.json<ToolkitList>('GET', '/api/toolkits')).toolkits.map(({ slug }) => slug)

async function answerOf(client: Client, method: string, path: string, body?: unknown): Promise<string> {
  const answer = await client.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  return `${answer.status} ${answer.ok ? '' : (JSON.parse(text) as ApiProblem).error.code}`
}

describe('a server that the owner added', TIMEOUT, () => {
  it('does not exist for a member until it is shared, also under its known name', async () => {
    const { owner, ada } = await start()
    expect(await addServer(owner)).toMatchObject({ slug: 'every_thing', shared: false })
    expect(await appsOf(owner)).toEqual(['every_thing'])
    expect(await appsOf(ada)).toEqual([])
    const scopes = { read: true, write: true, admin: false }
    for (const slug of ['every_thing', 'unknown']) {
      expect(await answerOf(ada, 'POST', '/api/connections', { toolkit: slug })).toBe('404 not_found')
      expect(await answerOf(ada, 'PUT', `/api/toolkits/${slug}/scopes`, scopes)).toBe('404 not_found')
    }
    await owner.json('PATCH', '/api/mcp-servers/every_thing', { shared: true })
    expect(await appsOf(ada)).toEqual(['every_thing'])
    const { toolkits } = await ada.json<ToolkitList>('GET', '/api/toolkits')
    expect(toolkits[0]).toMatchObject({ isOwn: false })
  })

  it('is taken back at once: the connection of a member answers like an unknown one', async () => {
    const { owner, ada, assistant } = await start()
    await addServer(owner)
    await owner.json('PATCH', '/api/mcp-servers/every_thing', { shared: true })
    const connection = await ada.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'every_thing' })
    const signedIn = await ada.json<SignInReply>('POST', `/api/connections/${connection.id}/sign-in`, {})
    expect(signedIn).toMatchObject({ type: 'settled', connection: { status: 'active' } })
    await owner.json('PATCH', '/api/mcp-servers/every_thing', { shared: false })
    expect(await appsOf(ada)).toEqual([])
    for (const id of [connection.id, 'connection_unknown']) {
      expect(await answerOf(ada, 'POST', `/api/connections/${id}/sign-in`, {})).toBe('404 not_found')
      expect(await answerOf(ada, 'POST', `/api/connections/${id}/default`, {})).toBe('404 not_found')
      expect(await answerOf(ada, 'DELETE', `/api/connections/${id}`)).toBe('404 not_found')
    }
    expect(await assistant.integrations.connections.list('ada')).toEqual([])
    expect(await appsOf(owner)).toEqual(['every_thing'])
  })

  it.each([true, false])(
    'runs an action of a member in a turn only while it is shared: %s',
    async (isShared) => {
      const script = new ScriptedModel(
        calls('delegate_to_integrations_agent', { toolkit: 'every_thing', prompt: 'Echo.' }),
        calls('echo', { message: 'of the machine' }),
        says('Done.'),
        says('Done.'),
      )
      let atSecondCall = async (): Promise<unknown> => undefined
      const model: ModelClient = {
        id: script.id,
        abilities: script.abilities,
        async stream(...given) {
          if (script.requests === 1) await atSecondCall()
          return script.stream(...given)
        },
      }
      const { owner, ada, assistant } = await start({ mode: 'full', model })
      atSecondCall = () => assistant.changeMcpServer('local', 'every_thing', { shared: isShared })
      await addServer(owner)
      await owner.json('PATCH', '/api/mcp-servers/every_thing', { shared: true })
      const connection = await ada.json<ConnectionRow>('POST', '/api/connections', { toolkit: 'every_thing' })
      await ada.json('POST', `/api/connections/${connection.id}/sign-in`, {})
      const { id } = await ada.json<ThreadSummary>('POST', '/api/threads', {})
      await (await assistant.threadsOf('ada').open(id)).send('Echo something.')
      const written = await (await ada.request(`/api/threads/${id}/export?format=jsonl`)).text()
      expect(written.includes('Echo: of the machine')).toBe(isShared)
    },
  )

  it('of an older version stays usable for members when it has an address, and not when it is a program', async () => {
    const folder = await createFolder()
    const mcpServers = [
      { slug: 'far', name: 'Far', transport: { type: 'http', url: 'https://example.org/mcp' } },
      { slug: 'near', name: 'Near', transport: { type: 'stdio', command: 'near', args: [] } },
    ]
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ version: 1, mcpServers }))
    const { owner, ada } = await start({ folder })
    expect(await appsOf(owner)).toEqual(['far', 'near'])
    expect(await appsOf(ada)).toEqual(['far'])
  })
})

describe('a folder of the owner', TIMEOUT, () => {
  it('is usable for a member only while it is shared', async () => {
    const { owner, ada, assistant } = await start()
    const [own, shared] = [join(await createFolder(), 'own'), join(await createFolder(), 'shared')]
    for (const folder of [own, shared]) await mkdir(folder)
    const rootsOf = async (client: Client): Promise<readonly string[]> =>
      (await client.json<Settings>('GET', '/api/settings')).roots
    await owner.json('PATCH', '/api/settings', { roots: [own, shared] })
    expect(await rootsOf(ada)).toEqual([])
    await owner.json('PATCH', '/api/settings', { sharedRoots: [shared] })
    expect(await rootsOf(ada)).toEqual([shared])
    // Settings of the member store nothing of the owner.
    await ada.json('PATCH', '/api/settings', { theme: 'dark' })
    await owner.json('PATCH', '/api/settings', { roots: [own] })
    expect(await rootsOf(ada)).toEqual([])
    expect(assistant.readSettings('local')).toMatchObject({ roots: [own], sharedRoots: [] })
    expect(await answerOf(owner, 'PATCH', '/api/settings', { sharedRoots: [shared] })).toBe('400 invalid')
    expect(await answerOf(ada, 'PATCH', '/api/settings', { roots: ['/'] })).toBe('403 forbidden')
  })
})

describe('the safety mode of a member', () => {
  it('is never full by their own choice, also when an older version stored it', async () => {
    const folder = await createFolder()
    const users = { ada: { safetyMode: 'full', roots: ['/'] } }
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ version: 1, users }))
    const { ada, assistant } = await start({ folder })
    expect(await ada.json('GET', '/api/settings')).toMatchObject({ safetyMode: 'supervised', roots: [] })
    expect(assistant.readSettings('ada').safetyMode).toBe('supervised')
    expect(await answerOf(ada, 'PATCH', '/api/settings', { safetyMode: 'full' })).toBe('403 forbidden')
  })
})
