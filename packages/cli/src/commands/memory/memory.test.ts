import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ScriptedModel, says, startProviderServer } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { startRunningServer } from '../../testing/running-server.ts'
import { createHome } from '../../testing/stored-thread.ts'

const ITEMS = [
  {
    id: 'n1',
    app: 'notes',
    title: 'Boiler',
    text: 'The boiler was serviced.',
    at: '2026-03-04T09:00:00Z',
    people: ['Bé Roux'],
    url: 'https://notes.example/1',
    lang: 'en',
  },
  {
    id: 'm1',
    app: 'mail',
    account: 'work',
    title: '暖房',
    text: '暖房の点検は来週です。',
    at: '2026-02-01T00:00:00Z',
    people: [],
  },
]
const LINES = ITEMS.map((item) => `${JSON.stringify(item)}\n`).join('')

async function withMemory(lines = LINES) {
  const home = await createHome()
  const capstan = async (args: readonly string[], stdin = '') => {
    const shell = createFakeShell({ stdin, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['memory', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  const imported = await capstan(['import', '--jsonl'], lines)
  return { home, capstan, imported }
}
const toObjects = (out: string): unknown[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Answers each request with this vector. */
const startEmbeddings = (vector: readonly number[], count: number) =>
  startProviderServer(
    ...Array.from({ length: count }, () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify({ data: [{ embedding: vector, index: 0 }], usage: { prompt_tokens: 3 } })],
      ending: 'end' as const,
    })),
  )

describe('capstan memory', () => {
  it('also searches by the vectors of the embedding model that is set', async () => {
    const { home, capstan } = await withMemory()
    await using server = await startEmbeddings([0, 1], 1)
    const model = `${server.url}/v1#tiny`
    const store = openEmbeddedStore({ folder: home })
    const items = await store.memory.list('local')
    await store.memory.vectors.put(
      'local',
      model,
      items.map((item) => ({ item, vectors: [new Float32Array(item.id === 'm1' ? [0, 1] : [1, 0])] })),
    )
    await store.close()
    const before = await capstan(['search', 'freezing', '--json'])
    expect(before.out).toBe('')
    await writeFile(
      join(home, 'settings.json'),
      JSON.stringify({ version: 1, users: { local: { embeddingModel: model } } }),
    )
    const after = await capstan(['search', 'freezing', '--json'])
    expect(toObjects(after.out)).toMatchObject([{ id: 'm1', score: 0.25 }])
    expect(server.requests).toMatchObject([{ path: '/v1/embeddings', body: { input: ['freezing'] } }])
    // The server of the model has no more answers.
    const failed = await capstan(['search', 'boiler', '--json'])
    expect(toObjects(failed.out)).toMatchObject([{ id: 'n1' }])
    expect(failed.err).toContain('searched by words alone')
  })

  it('imports items and answers queries in JSON lines', async () => {
    const { capstan, imported } = await withMemory()
    expect(imported).toMatchObject({ code: 0, out: '' })
    const queries = '{"id":"q1","q":"boilers service"}\n{"id":"q2","q":"点検"}\n{"id":"q3","q":"zebra"}\n'
    const { code, out } = await capstan(['search', '--jsonl', '--limit', '1'], queries)
    expect(code).toBe(0)
    expect(toObjects(out)).toEqual([
      { id: 'q1', hits: [{ id: 'n1', score: expect.any(Number) }] },
      { id: 'q2', hits: [{ id: 'm1', score: expect.any(Number) }] },
      { id: 'q3', hits: [] },
    ])
  })

  it('names the lines that cannot be read, and imports the others', async () => {
    const { capstan, imported } = await withMemory(`${LINES}nonsense\n{"id":"x"}\n{"id":"","app":"a"}\n`)
    expect(imported.code).toBe(1)
    expect(imported.err).toContain('line 3: not JSON')
    expect(imported.err).toContain('line 4: "app" must be a string')
    expect(imported.err).toContain('line 5: "id" must be one line')
    expect(toObjects((await capstan(['list', '--json'])).out)).toHaveLength(2)
  })

  it('exports lines that it imports again', async () => {
    const { home, capstan } = await withMemory()
    const exported = await capstan(['export'])
    expect(toObjects(exported.out)).toMatchObject([
      { id: 'n1', url: ITEMS[0]?.url },
      { id: 'm1', account: 'work' },
    ])
    const file = join(home, 'items.jsonl')
    await writeFile(file, exported.out)
    const again = await capstan(['import', '--jsonl', file, '--json'])
    expect(JSON.parse(again.out)).toEqual({ imported: 2, added: 0, problems: [] })
    expect((await capstan(['export'])).out).toBe(exported.out)
  })

  it('says that a file is not there', async () => {
    const { capstan } = await withMemory()
    const { code, err } = await capstan(['import', '--jsonl', 'no-such-file'])
    expect(code).toBe(1)
    expect(err).toContain('"no-such-file" could not be read (ENOENT)')
  })

  it('lists, shows and searches for people', async () => {
    const { capstan } = await withMemory()
    expect((await capstan([])).out).toMatch(/^ITEM +APP +WHEN +TITLE\nn1 .*Boiler\nm1 +mail \(work\)/)
    expect((await capstan(['show', 'n1'])).out).toContain('The boiler was serviced.')
    expect((await capstan(['search', 'be', 'roux'])).out).toContain('n1')
    expect((await capstan(['show', 'zz'])).code).toBe(1)
  })

  it('forgets one item, and all of an app', async () => {
    const { capstan } = await withMemory()
    expect((await capstan(['forget', 'n1'])).code).toBe(2)
    expect((await capstan(['forget', 'n1', '--yes'])).out).toBe('Forgot 1 item.\n')
    expect((await capstan(['search', 'boiler'])).out).toBe('Nothing was found.\n')
    expect((await capstan(['forget', '--app', 'mail', '--yes', '--json'])).out).toBe('{"forgotten":1}\n')
    expect((await capstan([])).out).toMatch(/^Nothing is remembered here\.\nFill it with "capstan sync on/)
  })

  it('adds, answers and forgets facts about the person', async () => {
    const { capstan } = await withMemory()
    expect((await capstan(['facts'])).out).toMatch(/^No facts are known\.\nAdd one: capstan memory facts add/)
    const added = JSON.parse((await capstan(['facts', 'add', 'Likes', 'tea.', '--json'])).out)
    expect(added).toMatchObject({ text: 'Likes tea.', status: 'accepted' })
    expect((await capstan(['facts', 'reject', added.id])).out).toBe(`${added.id} is rejected.\n`)
    expect((await capstan(['facts', 'accept', added.id, 'fact_none'])).code).toBe(1)
    expect((await capstan(['facts', 'list'])).out).toMatch(
      /^FACT +STATUS +WHEN +TEXT\nfact_\w+ +rejected .*Likes tea\./,
    )
    expect((await capstan(['facts', 'forget', added.id])).code).toBe(2)
    expect((await capstan(['facts', 'forget', added.id, '--yes'])).out).toBe('Forgot 1 fact.\n')
    expect((await capstan(['facts', 'add', ' '])).code).toBe(2)
    expect((await capstan(['facts', 'nonsense'])).code).toBe(2)
  })
})

it('capstan memory imports, lists, searches, forgets and answers facts while a server runs', async () => {
  const { home, assistant } = await startRunningServer({ model: new ScriptedModel(says('Hi.')) })
  const capstan = async (args: readonly string[], stdin = '') => {
    const shell = createFakeShell({ stdin, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['memory', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  const many = Array.from({ length: 450 }, (_, n) =>
    JSON.stringify({ ...ITEMS[0], id: `b${n}`, app: 'bulk' }),
  )
  const imported = await capstan(['import', '--jsonl', '--json'], `${LINES}${many.join('\n')}\n`)
  expect(JSON.parse(imported.out)).toEqual({ imported: 452, added: 452, problems: [] })
  expect((await capstan(['forget', '--app', 'bulk', '--yes'])).out).toBe('Forgot 450 items.\n')
  expect((await capstan(['search', 'boiler'])).out).toContain('n1')
  expect((await capstan(['export'])).out.trim().split('\n')).toHaveLength(2)
  expect((await capstan(['forget', 'n1', 'none', '--yes'])).out).toBe('Forgot 1 item.\n')
  expect((await capstan(['forget', 'n1', '--yes'])).code).toBe(1)
  expect((await capstan(['list'])).out).not.toContain('Boiler')
  const fact = JSON.parse((await capstan(['facts', 'add', 'Likes', 'tea.', '--json'])).out) as { id: string }
  expect((await capstan(['facts', 'reject', fact.id, 'none'])).code).toBe(1)
  expect(await assistant.store.memory.facts.get('local', fact.id)).toMatchObject({ status: 'accepted' })
  expect((await capstan(['facts', 'reject', fact.id])).out).toBe(`${fact.id} is rejected.\n`)
  expect((await capstan(['facts', 'forget', fact.id, '--yes'])).out).toBe('Forgot 1 fact.\n')
  expect(await assistant.store.memory.facts.list('local')).toEqual([])
})
