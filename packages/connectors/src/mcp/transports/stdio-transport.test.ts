import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UNCONFINED } from '@capstan/harness/sandbox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { McpConnectorOptions } from '../mcp-connector.ts'
import type { McpWorld } from '../scenarios/mcp-world.fixture.ts'
import { call, connectionTo, createMcpWorld } from '../scenarios/mcp-world.fixture.ts'
import { createStdioTransport } from './stdio-transport.ts'

/** A server of a few lines, so that a test can say what it does wrong. */
const SERVER = (more: string) => `
  const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  let rest = ''
  const say = {
    initialize: (id) => answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    'tools/list': (id) => answer(id, { tools: [{ name: 'env', inputSchema: { type: 'object' } }] }),
    'tools/call': (id) => answer(id, { content: [{ type: 'text', text: JSON.stringify(process.env) }] }),
    'server/discover': (id) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n'),
  }
  ${more}
  process.stdin.on('data', (piece) => {
    rest += piece
    const lines = rest.split('\\n')
    rest = lines.pop()
    for (const line of lines) { const { id, method } = JSON.parse(line); say[method]?.(id) }
  })
`

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a program as an MCP server', { timeout: 20_000 }, () => {
  let folder: string
  let world: McpWorld | undefined
  const connection = connectionTo('program')

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-stdio-'))
  })
  afterEach(async () => {
    await world?.connector.close()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  async function program(
    more = '',
    env: Record<string, string> = {},
    options: Partial<McpConnectorOptions> = {},
  ): Promise<McpWorld> {
    const file = join(folder, 'server.cjs')
    await writeFile(file, SERVER(more))
    const transport = { type: 'stdio', command: process.execPath, args: [file], env, cwd: folder } as const
    world = createMcpWorld([{ slug: 'program', transport }], options)
    return world
  }

  const run = (to: McpWorld) => to.connector.execute(connection, 'env', {}, call())
  const pidFile = () => join(folder, 'pid')
  const WRITES_PID = `require('node:fs').writeFileSync('pid', String(process.pid));`

  it('sees little of our environment, and what its configuration names', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-somebody')
    vi.stubEnv('LANG', 'de_DE.UTF-8')
    const { text } = await run(await program('', { NOTES_COLOUR: 'green' }))
    const env = JSON.parse(text) as Record<string, string>
    expect(Object.keys(env)).toEqual(expect.arrayContaining(['PATH', 'LANG', 'NOTES_COLOUR']))
    const allowed = new Set(['PATH', 'HOME', 'LANG', 'NOTES_COLOUR', '__CF_USER_TEXT_ENCODING'])
    expect(Object.keys(env).filter((name) => !allowed.has(name))).toEqual([])
  })

  it('does not show a key from its configuration in what it answers', async () => {
    const { text } = await run(await program('', { NOTES_KEY: 'key-of-the-notes' }))
    expect(text).toContain('NOTES_KEY')
    expect(text).not.toContain('key-of-the-notes')
  })

  it('may print to stderr, and lines on stdout that are no messages', async () => {
    const noise = `process.stderr.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'.repeat(20000)); process.stdout.write('hello\\n');`
    expect(await run(await program(noise))).toMatchObject({ ok: true })
  })

  it('has a bounded part of its stderr kept', async () => {
    const script = `process.stderr.write('x'.repeat(1e6) + ' the end'); setTimeout(() => {}, 60000)`
    const transport = createStdioTransport(
      { type: 'stdio', command: process.execPath, args: ['-e', script] },
      { sandbox: UNCONFINED, graceMs: 50 },
    )
    await transport.start()
    await vi.waitFor(() => expect(String(transport.stderr)).toContain('the end'))
    expect(String(transport.stderr).length).toBeLessThanOrEqual(4_096)
    await transport.close()
  })

  it('is not started without a sandbox, and the reason is said', async () => {
    const script = `require('node:fs').writeFileSync(${JSON.stringify(pidFile())}, 'started')`
    const transport = { type: 'stdio', command: process.execPath, args: ['-e', script] } as const
    world = createMcpWorld([{ slug: 'program', transport }], { sandbox: undefined })
    expect(await run(world)).toMatchObject({
      ok: false,
      errorCode: 'missing_app',
      text: expect.stringContaining('was not started. Programs run only in a sandbox'),
    })
    await expect(readFile(pidFile())).rejects.toThrow('ENOENT')
  })

  it('that is not installed is reported as missing', async () => {
    world = createMcpWorld([
      { slug: 'program', transport: { type: 'stdio', command: join(folder, 'no-such-program'), args: [] } },
    ])
    expect(await run(world)).toMatchObject({ ok: false, errorCode: 'missing_app' })
    const step = await world.connector.beginSignIn(connection, {
      state: 's',
      redirectUri: 'http://127.0.0.1/',
    })
    expect(step).toMatchObject({
      type: 'settled',
      status: 'failed',
      reason: expect.stringContaining('not installed'),
    })
  })

  it('that does not start is reported with its stderr, without its keys', async () => {
    const complains = `console.error('no account for key', process.env.NOTES_KEY); process.exit(1)`
    const outcome = await run(await program(complains, { NOTES_KEY: 'key-of-the-notes' }))
    expect(outcome).toMatchObject({ ok: false, text: expect.stringContaining('no account for key') })
    expect(outcome.interrupted).toBeUndefined()
    expect(outcome.text).not.toContain('key-of-the-notes')
  })

  it.each([
    ['exits at once', 'process.exit(3)', /^Its program ended with exit code 3\.$/],
    [
      'prints much and fails',
      "for (let no = 0; no < 2000; no++) console.error('line ' + no); console.error('the disk is full'); process.exitCode = 1; process.stdin.destroy()",
      /^Its program ended with exit code 1\. It printed: line 0 line 1 .* … .* line 1999 the disk is full$/,
    ],
    ['is killed', "process.kill(process.pid, 'SIGKILL')", /^Its program was ended by SIGKILL\.$/],
    [
      'never answers',
      "for (const name in say) say[name] = () => {}; console.error('thinking')",
      /in time\. Its program printed: thinking$/,
    ],
  ])('that %s has failed, and the reason is said', async (_what, more, reason) => {
    const { connector } = await program(more, {}, { openTimeoutMs: 1_000 })
    const signIn = { state: 's', redirectUri: 'http://127.0.0.1/' }
    expect(await connector.beginSignIn(connection, signIn)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(reason),
    })
  })

  it('that starts and cannot say what it can do is not connected', async () => {
    const { connector } = await program(
      `say['tools/list'] = (id) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no database' } }) + '\\n')`,
    )
    const signIn = { state: 's', redirectUri: 'http://127.0.0.1/callback' }
    expect(await connector.beginSignIn(connection, signIn)).toMatchObject({
      type: 'settled',
      status: 'failed',
      reason: expect.stringContaining('no database'),
    })
  })

  it('is not started because its connection is pending', async () => {
    const { connector } = await program(WRITES_PID)
    expect(await connector.check({ ...connection, status: 'pending' })).toEqual({ status: 'pending' })
    await expect(readFile(pidFile())).rejects.toThrow('ENOENT')
  })

  it('that worked before and does not start any more has failed', async () => {
    const { connector } = await program('process.exit(3)')
    expect(await connector.check(connection)).toMatchObject({ status: 'failed' })
    await expect(connector.actions(connection)).rejects.toMatchObject({
      cannotStart: 'Its program ended with exit code 3.',
    })
  })

  it('shows no part of its keys when its stderr is cut', async () => {
    const key = 'key-of-the-notes-'.repeat(20)
    const complains = `console.error('no account for', process.env.NOTES_KEY, 'because of it'); process.exitCode = 1; process.stdin.destroy()`
    const { text } = await run(await program(complains, { NOTES_KEY: key }))
    expect(text).toContain('because of it')
    expect(text).not.toContain('of-the-notes')
  })

  it('that exits at an unknown message is started again with the old handshake', async () => {
    expect(await run(await program(`say['server/discover'] = () => process.exit(1)`))).toMatchObject({
      ok: true,
    })
  })

  it('that dies is started again for the next call', async () => {
    const to = await program(`${WRITES_PID} say['tools/call'] = (id) => answer(id, { content: [] })`)
    await run(to)
    const first = Number(await readFile(pidFile(), 'utf8'))
    process.kill(first, 'SIGKILL')
    await vi.waitFor(() => expect(isAlive(first)).toBe(false))
    expect(await run(to)).toMatchObject({ ok: true })
    expect(Number(await readFile(pidFile(), 'utf8'))).not.toBe(first)
  })

  it('that dies during a call leaves the call as interrupted', async () => {
    const to = await program(`say['tools/call'] = () => process.exit(3)`)
    expect(await run(to)).toMatchObject({ ok: false, interrupted: true })
  })

  it('is stopped after closing, with its children, even if it ignores signals', async () => {
    const stubborn = `
      process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      require('node:fs').writeFileSync('pid', process.pid + ' ' + child.pid)`
    await writeFile(join(folder, 'server.cjs'), SERVER(stubborn))
    const transport = createStdioTransport(
      { type: 'stdio', command: process.execPath, args: ['server.cjs'], cwd: folder },
      { sandbox: UNCONFINED, graceMs: 100 },
    )
    await transport.start()
    const pids = await vi.waitFor(async () => {
      const text = await readFile(pidFile(), 'utf8')
      expect(text).toMatch(/^\d+ \d+$/)
      return text.split(' ').map(Number)
    })
    await transport.close()
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]))
  })

  it('does not keep our process alive, and is stopped with it', async () => {
    await writeFile(join(folder, 'server.cjs'), SERVER(`${WRITES_PID} setInterval(() => {}, 1000)`))
    const connector = pathToFileURL(join(import.meta.dirname, '../mcp-connector.ts')).href
    const script = `
      import { createMcpConnector } from ${JSON.stringify(connector)}
      import { UNCONFINED } from ${JSON.stringify(import.meta.resolve('@capstan/harness/sandbox'))}
      const vault = { read() {}, write() {}, delete() {} }
      const transport = { type: 'stdio', command: process.execPath, args: ['server.cjs'] }
      const connector = createMcpConnector({ servers: [{ slug: 'program', transport }], vault, sandbox: UNCONFINED })
      const actions = await connector.actions({ id: 'c', toolkit: 'program' })
      console.log('actions', actions.length)`
    const ours = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    ours.stdout.on('data', (piece) => (printed += String(piece)))
    const [code] = (await once(ours, 'exit')) as [number]
    expect(code).toBe(0)
    expect(printed).toContain('actions 1')
    const pid = Number(await readFile(pidFile(), 'utf8'))
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 })
  })
})
