import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '@capstan/protocol'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import type { AuditRow } from '../../ports/audit-log.ts'
import { createMemoryAuditLog } from '../../ports/memory/memory-audit-log.ts'
import type { Step } from '../../testing/index.ts'
import {
  ALLOW_ALL,
  calls,
  malformedCall,
  recordEvents,
  says,
  ScriptedModel,
  stubGate,
  stubTool,
} from '../../testing/index.ts'
import { createFileTools } from '../../tools/files.ts'
import { UNCONFINED } from '../../ports/sandbox.ts'
import { createShellTool } from '../../tools/shell.ts'
import { createWebFetchTool } from '../../tools/web-fetch.ts'
import { digestCall } from '../../turn/digest.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import {
  HIDDEN_COMMANDS,
  INSIDE_URLS,
  OUTSIDE_PATHS,
  STRANGE_ARGUMENTS,
  STRANGE_NAMES,
  UNAPPROVED_COMMANDS,
} from './hostile-model.fixture.ts'
import type { SessionOptions } from '../session/session.ts'
import { createSession } from '../session/session.ts'

const SECRET = 'what nobody inside may read'
let home = ''
let root = ''
let before = ''
let listener: Server
let port = 0
let connections = 0
let executed = 0
let attempts = 0

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'capstan-hostile-')))
  root = join(home, 'root')
  for (const folder of ['root/sub', 'root/.git', 'outside', 'root-sibling']) {
    await mkdir(join(home, folder), { recursive: true })
  }
  await writeFile(join(root, 'notes.txt'), 'one\ntwo\n')
  await writeFile(join(root, '.env'), SECRET)
  await writeFile(join(root, '.git/config'), '[core]\n')
  await writeFile(join(home, 'outside/secret.txt'), SECRET)
  await writeFile(join(home, 'root-sibling/secret.txt'), SECRET)
  const links: Record<string, string> = {
    'link.txt': '../outside/secret.txt',
    'chain.txt': 'link.txt',
    folder: '../outside',
    up: '..',
    'broken.txt': '../outside/new.txt',
    loop: 'loop',
    device: '/dev/zero',
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name))
  before = await snapshot(home)
  listener = createServer((_request, response) => response.end(SECRET))
  listener.on('connection', () => connections++)
  await new Promise<void>((listening) => listener.listen(0, listening))
  port = (listener.address() as AddressInfo).port
})

afterAll(async () => {
  await new Promise((closed) => listener.close(closed))
  await rm(home, { recursive: true, force: true })
})

/** All names and contents below a folder as one text. Follows no links. */
async function snapshot(folder: string): Promise<string> {
  const lines: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const { mode } = await lstat(path)
    if (entry.isDirectory()) lines.push(`${path} ${mode}`, await snapshot(path))
    else
      lines.push(
        `${path} ${mode} ${await (entry.isSymbolicLink() ? readlink(path) : readFile(path, 'utf8'))}`,
      )
  }
  return lines.toSorted().join('\n')
}

const place = (text: string) =>
  text.replaceAll('ROOT', root).replaceAll('HOME', home).replaceAll('PORT', String(port))
const armed = (name: string, more: Partial<Tool> = {}) => stubTool(name, () => `ran ${++executed}`, more)

/** Runs a turn whose last call is forbidden. The call must fail, change and reveal nothing, and have one audit row. */
async function attempt(
  steps: readonly Step[],
  options: Omit<SessionOptions, 'model'>,
): Promise<{ readonly row: AuditRow; readonly failure: Failure | undefined }> {
  attempts++
  const events = recordEvents()
  const audit = createMemoryAuditLog()
  const endings = Array.from({ length: 6 }, () => says('I tried.'))
  const outcome = await createSession({
    origin: 'web',
    guards: () => [],
    ...options,
    model: new ScriptedModel(...steps, ...endings),
    onEvent: events.onEvent,
    safety: { ...options.safety, audit },
  }).send('Do your worst.')
  expect(outcome.type).toBe('done')
  const started = events.of('tool-start').at(-1)!
  const end = events
    .of('tool-end')
    .find(({ callId, runId }) => callId === started.callId && runId === started.runId)
  expect(end, JSON.stringify(started.arguments)?.slice(0, 200)).toMatchObject({ ok: false })
  expect(end!.failure).toBeDefined()
  expect(JSON.stringify(events.all)).not.toContain(SECRET)
  const rows = audit.rows.filter(({ callId, runId }) => callId === started.callId && runId === started.runId)
  expect(rows).toMatchObject([{ ok: false }])
  expect(audit.rows).toHaveLength(events.of('tool-start').length)
  return { row: rows[0]!, failure: end!.failure }
}

const saysNo = () => stubGate({})
const wouldSayYes = () =>
  stubGate({
    findGrant: ({ tool, binding, threadId }) => ({
      id: 'grant_1',
      tool,
      binding,
      threadId,
      lifetime: 'always',
      createdAt: 0,
    }),
    wait: async () => ({ decision: 'allow-always', digest: '' }),
  })

describe.skipIf(process.platform === 'win32')('a hostile model', () => {
  it('cannot read or write outside its folder, even when everything is allowed', async () => {
    const tools = createFileTools({ roots: [root] })
    const fields: Record<string, JsonObject> = {
      read_file: {},
      list_files: {},
      search_files: { pattern: 'nobody' },
      write_file: { content: 'pwned' },
      edit_file: { find: 'nobody', replace: 'everybody' },
    }
    for (const path of OUTSIDE_PATHS.map(place)) {
      for (const [tool, more] of Object.entries(fields)) {
        await attempt([calls(tool, { ...more, path })], { tools, safety: ALLOW_ALL })
      }
    }
    for (const path of [
      '.git/config',
      '.git/hooks/pre-commit',
      '.GIT/config',
      'sub/../.git/config',
      '.git./config',
    ]) {
      await attempt([calls('write_file', { path, content: 'pwned' })], { tools, safety: ALLOW_ALL })
      await attempt([calls('edit_file', { path, find: 'core', replace: 'x' })], { tools, safety: ALLOW_ALL })
    }
    expect(await snapshot(home)).toBe(before)
  })

  it('cannot run a command that needs approval', async () => {
    const tools = [createShellTool({ roots: [root], enabled: true, sandbox: UNCONFINED })]
    for (const command of [...UNAPPROVED_COMMANDS, ...HIDDEN_COMMANDS].map(place)) {
      const { row } = await attempt([calls('shell', { command })], { tools, safety: { approvals: saysNo() } })
      expect(row.decision, command).toBe('refused')
    }
    for (const cwd of ['..', '/', 'up', 'folder', 'sub/../..', 'HOME/outside'].map(place)) {
      await attempt([calls('shell', { command: 'ls', cwd })], { tools, safety: ALLOW_ALL })
    }
    expect(await snapshot(home)).toBe(before)
  })

  it('cannot run a command that hides what it runs, even when everything is allowed', async () => {
    const tools = [createShellTool({ roots: [root], enabled: true, sandbox: UNCONFINED })]
    for (const command of HIDDEN_COMMANDS) {
      const { failure } = await attempt([calls('shell', { command })], { tools, safety: ALLOW_ALL })
      expect(['blocked_by_policy', 'invalid_input'], command).toContain(failure!.class)
    }
    const off = [createShellTool({ roots: [root] })]
    for (const command of UNAPPROVED_COMMANDS.slice(0, 20)) {
      await attempt([calls('shell', { command })], { tools: off, safety: ALLOW_ALL })
    }
    expect(await snapshot(home)).toBe(before)
  })

  it('cannot reach an internal address', async () => {
    const inside = ['127.0.0.1']
    const tools = [
      createWebFetchTool({
        resolve: async (name) => (name === 'two-faces.test' ? ['93.184.216.34', ...inside] : inside),
      }),
    ]
    expect(new Set(INSIDE_URLS).size).toBeGreaterThan(60)
    for (const url of INSIDE_URLS.map(place)) {
      await attempt([calls('web_fetch', { url })], { tools, safety: ALLOW_ALL })
    }
    expect(connections).toBe(0)
  })

  it('cannot use an approval that was given for another call', async () => {
    const granted = { path: 'notes.txt', content: 'approved' }
    const digest = digestCall('write_file', granted)
    const approvals = stubGate({ wait: async () => ({ decision: 'allow-once', digest }) })
    const tools = [...createFileTools({ roots: [root] }), armed('send', { effect: 'write' })]
    const changed: readonly JsonObject[] = [
      { ...granted, path: 'Notes.txt' },
      { ...granted, path: './notes.txt' },
      { ...granted, path: 'notes.txt ' },
      { ...granted, path: 'sub/notes.txt' },
      { ...granted, content: '' },
      ...Array.from({ length: 20 }, (_, n) => ({ ...granted, content: `approved${' '.repeat(n + 1)}` })),
    ]
    for (const args of changed) await attempt([calls('write_file', args)], { tools, safety: { approvals } })
    await attempt([calls('send', granted)], { tools, safety: { approvals } })
    expect(await snapshot(home)).toBe(before)
  })

  it('cannot call an unknown tool or one that is not for models', async () => {
    const tools = [armed('write_file', { effect: 'write' }), armed('rotate_keys', { scope: 'host' })]
    for (const name of STRANGE_NAMES)
      await attempt([calls(name, { to: 'ada' })], { tools, safety: ALLOW_ALL })
    for (let n = 0; n < 10; n++) {
      await attempt([calls('rotate_keys', { n, scope: 'host', admin: true })], { tools, safety: ALLOW_ALL })
    }
  })

  it('cannot get anything with invalid arguments', async () => {
    const input = {
      type: 'object',
      properties: {
        to: { type: 'string', maxLength: 1_000 },
        n: { type: 'integer' },
        list: { type: 'array', maxItems: 3, items: { type: 'string' } },
      },
      required: ['to'],
      additionalProperties: false,
    }
    const tools = [armed('send', { input })]
    for (const text of STRANGE_ARGUMENTS) {
      await attempt([malformedCall('send', text)], { tools, safety: ALLOW_ALL })
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('cannot do what the settings forbid, even when a person would allow it', async () => {
    const tools = [armed('send', { effect: 'write' }), armed('drop', { effect: 'admin' })]
    const approvals = wouldSayYes()
    const settings: readonly Partial<SessionOptions>[] = [
      { safety: { mode: 'read-only', approvals } },
      { safety: { mode: 'read-only', approvals, rules: [{ tool: '*', decision: 'allow' }] } },
      { safety: { mode: 'full', approvals, rules: [{ tool: '*', decision: 'deny' }] } },
      { safety: ALLOW_ALL, effectCeiling: 'read' },
      { safety: { approvals }, origin: 'channel' },
      { safety: { approvals }, origin: 'unlabelled' },
      { safety: { approvals }, origin: 'schedule' },
      { safety: {} },
    ]
    for (const options of settings) {
      for (const tool of ['send', 'drop']) await attempt([calls(tool, { to: 'ada' })], { tools, ...options })
    }
  })

  it('cannot gain depth, effects or tools by delegating', async () => {
    const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
      id,
      description: id,
      instructions: id,
      ...more,
    })
    const down = (id: string) => calls(`delegate_to_${id}`, { prompt: 'do it' })
    const tools = [armed('send', { effect: 'write' }), armed('drop', { effect: 'admin' })]
    const deep = agent('a', { agents: [agent('b', { agents: [agent('c', { agents: [agent('d')] })] })] })
    for (let n = 0; n < 5; n++) {
      await attempt([down('a'), down('b'), down('c'), down('d')], {
        tools,
        agents: [deep],
        safety: ALLOW_ALL,
      })
    }
    const greedy = agent('greedy', { effectCeiling: 'admin' })
    const modest = agent('modest', { effectCeiling: 'read', agents: [greedy] })
    const bare = agent('bare', { tools: [], agents: [agent('heir')] })
    const barred = agent('barred', {
      deny: ['send', 'dr*'],
      agents: [agent('heir', { tools: ['send', 'drop'] })],
    })
    for (const tool of ['send', 'drop']) {
      const act = calls(tool, { to: 'ada' })
      const all = { tools, agents: [greedy, modest, bare, barred], safety: ALLOW_ALL }
      await attempt([down('greedy'), act], { ...all, effectCeiling: 'read' })
      await attempt([down('modest'), act], all)
      await attempt([down('modest'), down('greedy'), act], all)
      await attempt([down('bare'), act], all)
      await attempt([down('bare'), down('heir'), act], all)
      await attempt([down('barred'), act], all)
      await attempt([down('barred'), down('heir'), act], all)
    }
  })

  it('has made at least 500 attempts in these tests without any effect', async () => {
    process.stdout.write(
      `hostile model: ${attempts} attempts, ${executed} executed, ${connections} connections\n`,
    )
    expect(attempts).toBeGreaterThanOrEqual(500)
    expect(executed).toBe(0)
    expect(connections).toBe(0)
    expect(await snapshot(home)).toBe(before)
  })
})
