import type { ToolMedia } from '@capstan/harness'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { McpWorld } from './mcp-world.fixture.ts'
import { call, connectionTo, createMcpWorld } from './mcp-world.fixture.ts'
import type { McpServerConfig } from '../servers/server-config.ts'

const require = createRequire(import.meta.url)

function published(slug: string, ...args: readonly string[]): McpServerConfig {
  const folder = dirname(require.resolve(`@modelcontextprotocol/server-${slug}/package.json`))
  return {
    slug,
    transport: { type: 'stdio', command: process.execPath, args: [join(folder, 'dist/index.js'), ...args] },
  }
}

describe('servers other people publish', { timeout: 20_000 }, () => {
  let folder: string
  let world: McpWorld

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-mcp-'))
    await writeFile(join(folder, 'note.txt'), 'buy milk')
  })
  afterEach(() => world.connector.close())
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('connect without a sign-in, list their tools and run them: everything', async () => {
    world = createMcpWorld([published('everything')])
    const connection = connectionTo('everything')
    const heard = Promise.withResolvers<string>()
    world.connector.onChange(({ toolkit }) => heard.resolve(toolkit))
    expect(await world.connector.toolkits()).toMatchObject([{ slug: 'everything', auth: 'none' }])
    const step = await world.connector.beginSignIn(connection, {
      state: 's',
      redirectUri: 'http://127.0.0.1/',
    })
    expect(step).toMatchObject({ type: 'settled', status: 'active' })
    expect(await heard.promise).toBe('everything') // it announces a change right after its start
    const actions = await world.connector.actions(connection)
    expect(actions.map(({ name }) => name)).toContain('echo')
    const outcome = await world.connector.execute(connection, 'echo', { message: 'hello there' }, call())
    expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining('hello there') })
    expect(await world.connector.check(connection)).toEqual({ status: 'active' })
    expect((await world.connector.toolkits())[0]!.description.length).toBeLessThanOrEqual(240)
  })

  it('connect, list and read: filesystem, whose annotations tell reading from writing', async () => {
    world = createMcpWorld([published('filesystem', folder)])
    const connection = connectionTo('filesystem')
    const actions = await world.connector.actions(connection)
    const effects = Object.fromEntries(actions.map(({ name, effect }) => [name, effect]))
    expect(effects).toMatchObject({ read_text_file: 'read', write_file: 'write', list_directory: 'read' })
    const path = join(folder, 'note.txt')
    const outcome = await world.connector.execute(connection, 'read_text_file', { path }, call())
    expect(outcome).toMatchObject({ ok: true, text: 'buy milk' })
    const missing = await world.connector.execute(
      connection,
      'read_text_file',
      { path: `${path}.not` },
      call(),
    )
    expect(missing).toMatchObject({ ok: false, text: expect.stringContaining('ENOENT') })
  })

  it('connect, list and write: memory, which keeps what it is told', async () => {
    world = createMcpWorld([
      {
        ...published('memory'),
        transport: {
          ...(published('memory').transport as Extract<McpServerConfig['transport'], { type: 'stdio' }>),
          env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
        },
      },
    ])
    const connection = connectionTo('memory')
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }]
    expect(await world.connector.execute(connection, 'create_entities', { entities }, call())).toMatchObject({
      ok: true,
    })
    const graph = await world.connector.execute(connection, 'read_graph', {}, call())
    expect(graph.text).toContain('likes tea')
    const actions = await world.connector.actions(connection)
    expect(actions.find(({ name }) => name === 'delete_entities')).toMatchObject({ effect: 'admin' })
  })

  it('say what is wrong with a call as an outcome', async () => {
    world = createMcpWorld([published('everything')])
    const connection = connectionTo('everything')
    expect(await world.connector.execute(connection, 'no_such_tool', {}, call())).toMatchObject({ ok: false })
    expect(await world.connector.execute(connection, 'get-sum', { a: 'x' }, call())).toMatchObject({
      ok: false,
    })
  })

  it('return images as bytes, and describe them in the text: everything', async () => {
    world = createMcpWorld([published('everything')])
    const image = await world.connector.execute(connectionTo('everything'), 'get-tiny-image', {}, call())
    expect(image.text).toMatch(/\[image: image\/png, [\d.]+ KB\]/)
    expect(image.text.length).toBeLessThan(500)
    expect(image.media).toMatchObject([{ mediaType: 'image/png' }])
    const [{ bytes }] = image.media as [ToolMedia]
    expect([...bytes.subarray(0, 4)]).toEqual([...Buffer.from('\x89PNG', 'latin1')])
    expect(bytes.length).toBeGreaterThan(1024)
  })
})
