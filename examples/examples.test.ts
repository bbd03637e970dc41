import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createClient } from '@capstan/client'
import { createLocalConnector } from '@capstan/connectors'
import type { ProviderReply, ScriptedReply } from '@capstan/harness/testing'
import { calls, chatReply, says, ScriptedModel, startProviderServer } from '@capstan/harness/testing'
import type { EventPage, Settings, ThreadSummary, ToolkitList } from '@capstan/protocol'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const here = import.meta.dirname

/** What each program of docs/extend prints. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'tool-source': [
    'install: units is installed.',
    'notice: The tool "convert" is available from now on',
    'convert: 42.2 km',
    'stale: The tool source failed: Error: the plugin folder cannot be read',
    'A marathon is 42.2 km.',
    'tools sent with every request: install, call_tool',
  ],
  observer: ['done after 3 iterations and 45 tokens', 'read_page: 3 calls, 1 failed, 67 bytes'],
  parser: [
    'tide: Bergen: 18:40',
    'The next high tide in Bergen is at 18:40.',
    'To use a tool, write a line: > name {"argument": "value"}',
  ],
  checkpoint: [
    'I stopped after 2 iterations. You asked: Water the fern, the ivy and the moss.',
    'Done so far:',
    '- water [ok]: fern has water.',
    '- water [ok]: ivy has water.',
    'All three plants have water.',
  ],
  guard: [
    'order_coffee: Ordered 1 cups.',
    'order_coffee: Ordered 2 cups.',
    'nudge: Only one more call of order_coffee is allowed.',
    'order_coffee: Ordered 3 cups.',
    'halted: I stopped: order_coffee was called 3 times. Tell me if you want more.',
  ],
  store: ['Names: Your name is Ada.', 'user, assistant, user'],
  connector: [
    'card: Connect Bikes',
    'connect_app: Bikes is connected. Use find_actions or delegate_to_integrations_agent with toolkit "bikes".',
    'count_bikes: Harbour: 4 bicycles',
    'done: There are 4.',
    'delegate_to_integrations_agent: There are 4.',
    'done: There are 4 bicycles at Harbour.',
  ],
  'sub-agent': [
    'session starts at depth 0',
    'mail_reader starts at depth 1',
    'delete_mail: not_found',
    'find_mail: 1 mail about ferry: the ferry leaves at 9:15',
    'done: The mail says 9:15.',
    'delegate_to_mail_reader: The mail says 9:15.',
    'done: The ferry leaves at 9:15.',
    'Be at the pier at 9:15.',
    'completed: The pier is open.',
  ],
}

const PUBLIC_PATHS = /^(node:[\w/]+|zod|@capstan\/(harness(\/\w+)?|stores|connectors))$/

/** Runs an example as a reader would, against a real server that speaks a provider's format. */
async function runExample(name: string, ...replies: readonly ProviderReply[]) {
  await using server = await startProviderServer(...replies.map(chatReply))
  const { stdout } = await run(process.execPath, [join(here, `${name}.ts`)], {
    env: { ...process.env, CAPSTAN_MODEL: `${server.url}/v1#m` },
  })
  return {
    lines: stdout.trimEnd().split('\n'),
    bodies: server.requests.map(({ body }) => JSON.stringify(body)),
  }
}

/** The number of lines that are neither empty nor a comment. */
const countCode = (source: string): number =>
  source.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//')).length

const call = (id: string, tool: string, args: unknown): ProviderReply => ({
  calls: [{ id, tool, args: JSON.stringify(args) }],
})

/** Starts a server whose model plays the replies. Its folder for files is `root`. It offers one app, Tides. */
async function startScriptedServer(...replies: readonly ScriptedReply[]) {
  const place = mkdtempSync(join(tmpdir(), 'capstan-chat-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  const [root, folder] = [join(place, 'files'), join(place, 'data')]
  mkdirSync(root)
  const assistant = await createAssistant({
    folder,
    env: { OLLAMA_HOST: '127.0.0.1:9' },
    onProblem: () => {},
    connectors: [
      createLocalConnector({
        toolkits: [{ slug: 'tides', name: 'Tides', description: 'Tides.', actions: [] }],
      }),
    ],
    model: new ScriptedModel(...replies),
  })
  await assistant.changeSettings('local', { roots: [root] })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port: 0 })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  return { root, env: { CAPSTAN_URL: server.url, CAPSTAN_TOKEN: auth.token } }
}

/** Starts an example that serves, logs in with the link it prints, and returns a client of its API. */
async function serveExample(name: string, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-example-'))
  const child = spawn(process.execPath, [join(here, `${name}.ts`)], {
    env: { ...process.env, ...env, CAPSTAN_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true })
  })
  const [link] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { origin } = new URL(link)
  const login = await fetch(`${origin}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URL(link).searchParams,
  })
  const [cookie] = login.headers.getSetCookie()[0]!.split(';')
  return async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { origin, cookie: cookie!, 'content-type': 'application/json' },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
}

describe('the examples', { timeout: 60_000 }, () => {
  it('hello-agent answers from its tool', async () => {
    const { lines, bodies } = await runExample('hello-agent', call('c1', 'weather', { city: 'Oslo' }), {
      text: 'Yes, take one.',
    })
    expect(lines).toEqual(['Yes, take one.'])
    expect(bodies[1]).toContain('Oslo: 7 °C, light rain')
  })

  it('late-tool uses a tool that appeared during the turn and keeps the prefix', async () => {
    const { lines } = await runExample(
      'late-tool',
      call('c1', 'connect_notes', {}),
      call('c2', 'call_tool', { name: 'notes_search', arguments: { words: 'sourdough' } }),
      { text: 'Feed it every morning.' },
    )
    expect(lines).toEqual([
      '(connect_notes) Notes is connected.',
      '(notice) The tool "notes_search" is available from now on',
      '(notes_search) 1 note about sourdough: feed it every morning',
      'Feed it every morning.',
    ])
  })

  it('sub-agent shows the child inside its parent', async () => {
    const { lines } = await runExample(
      'sub-agent',
      call('c1', 'delegate_to_researcher', { prompt: 'Height of Mont Blanc?' }),
      call('c2', 'look_up', { subject: 'Mont Blanc' }),
      { text: '4,808 m, from look_up.' },
      { text: 'It is 4,808 m high.' },
    )
    expect(lines).toEqual([
      'session starts',
      '  researcher starts',
      '(done) 4,808 m, from look_up.',
      '(done) It is 4,808 m high.',
      'done after 2 iterations',
    ])
  })

  it.each(['hello-agent', 'late-tool', 'sub-agent'])('%s prints one line without a key', async (name) => {
    const { CAPSTAN_MODEL: _model, OPENAI_API_KEY: _key, ...env } = process.env
    const failed = run(process.execPath, [join(here, `${name}.ts`)], { env })
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Set OPENAI_API_KEY, or name another model: CAPSTAN_MODEL=ollama/llama4\n',
    })
  })

  it('client-chat shows tool rows and answers an approval', async () => {
    const { root, env } = await startScriptedServer(
      calls('write_file', { path: 'note.txt', content: 'Buy rope.' }),
      says('I saved it.'),
      says('Goodbye.'),
    )
    const chat = run(process.execPath, [join(here, 'client-chat.ts')], { env: { ...process.env, ...env } })
    chat.child.stdin?.end('Save a note\ny\nBye\n')
    const lines = (await chat).stdout.trimEnd().split('\n')
    expect(lines).toEqual([
      '> Allow "Write a file"? (y/n) [ok] Write a file note.txt',
      'I saved it.',
      '> Goodbye.',
      '>',
    ])
    expect(readFileSync(join(root, 'note.txt'), 'utf8')).toBe('Buy rope.')
  })

  it('client-chat names the app that a turn waits for, and goes on after the sign-in', async () => {
    const { env } = await startScriptedServer(
      calls('connect_app', { toolkit: 'tides' }),
      says('Tides is ready.'),
    )
    const chat = run(process.execPath, [join(here, 'client-chat.ts')], { env: { ...process.env, ...env } })
    chat.child.stdin?.end('Connect Tides\n')
    const card = `Connect Tides in the web app at ${env.CAPSTAN_URL}. The turn waits and then goes on here.`
    await once(createInterface({ input: chat.child.stdout! }), 'line')
    const client = createClient({ url: env.CAPSTAN_URL, token: env.CAPSTAN_TOKEN })
    onTestFinished(() => client.close())
    const { id } = await client.api.connect('tides')
    await client.api.signIn(id)
    const lines = (await chat).stdout.trimEnd().split('\n')
    expect(lines[0]).toBe(`> ${card}`)
    expect(lines.slice(-2)).toEqual(['Tides is ready.', '>'])
  })

  it('client-chat has at most thirty lines of code, and the README of the client quotes it', () => {
    const source = readFileSync(join(here, 'client-chat.ts'), 'utf8')
    expect(countCode(source)).toBeLessThanOrEqual(30)
    expect(readFileSync(join(here, '../packages/client/README.md'), 'utf8')).toContain(source)
  })

  it('own-assistant answers a message over HTTP with its own tool', async () => {
    const replies = [call('c1', 'stock', { article: 'Lantern' }), { text: 'There are 12.' }]
    await using provider = await startProviderServer(...replies.map(chatReply))
    const ask = await serveExample('own-assistant', { CAPSTAN_MODEL: `${provider.url}/v1#m` })
    const { id } = await ask<ThreadSummary>('POST', '/api/threads', {})
    await ask('POST', `/api/threads/${id}/messages`, { text: 'How many lanterns?', messageId: 'message_1' })
    const readEvents = async () => (await ask<EventPage>('GET', `/api/threads/${id}/events`)).events
    await expect.poll(readEvents, { timeout: 20_000 }).toContainEqual(
      expect.objectContaining({
        type: 'turn-end',
        outcome: expect.objectContaining({ type: 'done', text: 'There are 12.' }) as object,
      }),
    )
    const end = (await readEvents()).find(({ type }) => type === 'tool-end')
    expect(end).toMatchObject({ tool: 'stock', ok: true, output: 'Lantern: 12 in stock' })
    expect(JSON.stringify(provider.requests[0]!.body)).toContain('delegate_to_buyer')
    const { toolkits } = await ask<ToolkitList>('GET', '/api/toolkits')
    expect(toolkits.map(({ slug }) => slug)).toEqual(['orders'])
    expect((await ask<Settings>('GET', '/api/settings')).safetyMode).toBe('read-only')
    expect(countCode(readFileSync(join(here, 'own-assistant.ts'), 'utf8'))).toBeLessThanOrEqual(30)
  })

  it('are all run here, and the README quotes the first one', () => {
    const names = globSync('*.ts', { cwd: here }).filter((file) => !file.endsWith('.test.ts'))
    expect(names.map((file) => basename(file, '.ts')).toSorted()).toEqual([
      'client-chat',
      'hello-agent',
      'late-tool',
      'own-assistant',
      'sub-agent',
    ])
    const hello = readFileSync(join(here, 'hello-agent.ts'), 'utf8')
    expect(hello.split('\n').length).toBeLessThan(20)
    expect(readFileSync(join(here, '..', 'README.md'), 'utf8')).toContain(hello)
  })
})

describe('a program of docs/extend', { timeout: 60_000 }, () => {
  for (const [name, output] of Object.entries(EXTENSIONS)) {
    it(`${name} runs offline and prints what its page says`, async () => {
      const { stdout } = await run(process.execPath, [join(here, 'extend', `${name}.ts`)])
      expect(stdout.trimEnd().split('\n')).toEqual(output)
    })

    it(`${name} is quoted whole on its page, with its output`, () => {
      const page = readFileSync(join(here, '..', 'docs', 'extend', `${name}.md`), 'utf8')
      expect(page).toContain(`\`\`\`ts\n${readFileSync(join(here, 'extend', `${name}.ts`), 'utf8')}\`\`\``)
      expect(page).toContain(`\`\`\`text\n${output.join('\n')}\n\`\`\``)
    })

    it(`${name} imports only public paths`, () => {
      const source = readFileSync(join(here, 'extend', `${name}.ts`), 'utf8')
      const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path)
      const foreign = imported.filter((path) => !PUBLIC_PATHS.test(path!))
      expect(foreign).toEqual([])
    })
  }

  it('exists for every page, and is run here', () => {
    const names = globSync('*.ts', { cwd: join(here, 'extend') }).map((file) => basename(file, '.ts'))
    expect(names.toSorted()).toEqual(Object.keys(EXTENSIONS).toSorted())
    const pages = globSync('*.md', { cwd: join(here, '..', 'docs', 'extend') })
    const topics = pages.map((file) => basename(file, '.md')).filter((page) => page !== 'README')
    expect(topics.toSorted()).toEqual(names.toSorted())
  })
})
