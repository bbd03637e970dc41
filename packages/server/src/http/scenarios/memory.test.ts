import type { MemoryItem } from '@capstan/harness/stores'
import type {
  FactList,
  MemoryFact,
  MemoryHitRow,
  MemoryItemRow,
  MemoryPage,
  MemorySourceRow,
} from '@capstan/protocol'
import { MAX_FACTS, MAX_LISTED_CHARS } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

const toItem = (n: number, more: Partial<MemoryItem> = {}): MemoryItem => ({
  id: `page ${n}/ä`,
  app: 'notes',
  externalId: String(n),
  version: 'v1',
  at: n,
  title: `Page ${n}`,
  text: `The boiler number ${n} was serviced.`,
  people: [],
  seenAt: 5,
  ...more,
})

const JSON_TYPE = { 'content-type': 'application/json' }

async function start(...items: readonly MemoryItem[]) {
  const server = await startTestServer()
  const { memory } = server.assistant.store
  await memory.put('local', items)
  return { server, memory, client: await server.logIn() }
}

describe('memory over HTTP', () => {
  it('lists items in pages and by app, with cut texts and without what a sync keeps', async () => {
    const { client } = await start(
      toItem(1),
      toItem(2, { text: 'x'.repeat(5_000) }),
      toItem(3, { app: 'mail', account: 'work' }),
    )
    const titles: string[] = []
    for (let after: string | undefined; ;) {
      const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
      const page = await client.json<MemoryPage>('GET', `/api/memory/items?limit=2${query}`)
      titles.push(...page.items.map(({ title }) => title))
      if (!page.hasMore) break
      after = page.items.at(-1)!.id
    }
    expect(titles).toEqual(['Page 3', 'Page 2', 'Page 1'])
    const { items } = await client.json<MemoryPage>('GET', '/api/memory/items?app=notes')
    expect(items.map(({ title }) => title)).toEqual(['Page 2', 'Page 1'])
    expect(items[0]!.text.length).toBeLessThanOrEqual(MAX_LISTED_CHARS)
    expect(items[0]).not.toHaveProperty('version')
    const whole = await client.json<MemoryItemRow>(
      'GET',
      `/api/memory/items/${encodeURIComponent('page 2/ä')}`,
    )
    expect(whole.text).toHaveLength(5_000)
    const { apps } = await client.json<{ apps: readonly MemorySourceRow[] }>('GET', '/api/memory/apps')
    expect(apps).toHaveLength(2)
    expect(apps).toContainEqual({ app: 'mail', account: 'work', count: 1 })
    expect((await client.request('/api/memory/items?after=none')).status).toBe(404)
  })

  it('searches all apps or one, and marks weak hits', async () => {
    const { client } = await start(toItem(1), toItem(2, { app: 'mail' }))
    const search = async (query: string) =>
      (await client.json<{ hits: readonly MemoryHitRow[] }>('GET', `/api/memory/search?${query}`)).hits
    expect(await search('q=boiler+serviced')).toHaveLength(2)
    expect(await search('q=boiler+serviced&app=mail')).toMatchObject([
      { item: { app: 'mail' }, isWeak: false },
    ])
    const [weak] = await search('q=boiler+harbour+zeppelin+violin')
    expect(weak?.isWeak ?? true).toBe(true)
    expect(weak?.excerpt.some(({ isMatch }) => isMatch) ?? true).toBe(true)
    expect((await client.request('/api/memory/search?q=')).status).toBe(400)
    expect((await client.request('/api/memory/search?q=a&limit=31')).status).toBe(400)
  })

  it('shows where the words of a search stand, also far below the beginning, and searches one account', async () => {
    const { client } = await start(
      toItem(1, {
        app: 'mail',
        account: 'home',
        text: `${'Nothing here. '.repeat(100)}The boiler was serviced.`,
      }),
      toItem(2, { app: 'mail', account: 'work', title: 'Boilers <b>' }),
    )
    const search = async (query: string) =>
      (await client.json<{ hits: readonly MemoryHitRow[] }>('GET', `/api/memory/search?${query}`)).hits
    const [home, ...more] = await search('q=boiler+serviced&app=mail&account=home')
    expect(more).toEqual([])
    expect(home!.item.text).not.toContain('boiler')
    expect(home!.excerpt.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual([
      'boiler',
      'serviced',
    ])
    const [work] = await search('q=boiler&app=mail&account=work')
    expect(work!.title).toEqual([
      { text: 'Boilers', isMatch: true },
      { text: ' <b>', isMatch: false },
    ])
  })

  it('forgets chosen items, counts those that were there and reaches nobody else', async () => {
    const { client, server, memory } = await start(toItem(1), toItem(2), toItem(3, { app: 'mail' }))
    await memory.put('bo', [toItem(4)])
    const forget = (ids: readonly string[]) => ({
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ ids }),
    })
    const answer = await client.request(
      '/api/memory/items/forget',
      forget(['page 1/ä', 'page 3/ä', 'page 4/ä', 'none']),
    )
    expect(await answer.json()).toEqual({ forgotten: 2 })
    expect(await memory.list('local')).toMatchObject([{ title: 'Page 2' }])
    expect(await memory.list('bo')).toHaveLength(1)
    expect(await (await client.request('/api/memory/items/forget', forget(['none']))).json()).toEqual({
      forgotten: 0,
    })
    const many = Array.from({ length: 201 }, (_, n) => `page ${n}`)
    expect((await client.request('/api/memory/items/forget', forget(many))).status).toBe(400)
    expect((await client.request('/api/memory/items/forget', forget([]))).status).toBe(400)
    const lines = (await server.assistant.store.audit.read()).filter(
      ({ action }) => action === 'memory-forget',
    )
    expect(lines.map(({ subject, facts }) => ({ subject, facts }))).toEqual([
      { subject: 'mail, notes', facts: { what: 'items', count: 2 } },
    ])
  })

  it('forgets an item and all of an app, and audits it without content', async () => {
    const { client, server, memory } = await start(toItem(1), toItem(2), toItem(3, { app: 'mail' }))
    const path = `/api/memory/items/${encodeURIComponent('page 1/ä')}`
    expect((await client.request(path, { method: 'DELETE' })).status).toBe(204)
    expect((await client.request(path, { method: 'DELETE' })).status).toBe(404)
    expect(await client.json('DELETE', '/api/memory/apps/notes')).toEqual({ forgotten: 1 })
    expect((await client.request('/api/memory/apps/notes', { method: 'DELETE' })).status).toBe(404)
    expect(await memory.list('local')).toMatchObject([{ app: 'mail' }])
    const lines = (await server.assistant.store.audit.read()).filter(
      ({ action }) => action === 'memory-forget',
    )
    expect(lines.map(({ subject, facts }) => ({ subject, facts }))).toEqual(
      expect.arrayContaining([
        { subject: 'notes', facts: { what: 'item', count: 1 } },
        { subject: 'notes', facts: { what: 'app', count: 1 } },
      ]),
    )
    expect(JSON.stringify(lines)).not.toMatch(/boiler|Page/)
  })

  it('exports lines and adds items in bounded batches', async () => {
    const { client, memory } = await start(toItem(1, { link: 'https://notes.example/1' }))
    const exported = await (await client.request('/api/memory/export')).text()
    expect(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ id: 'page 1/ä', url: 'https://notes.example/1', at: '1970-01-01T00:00:00.001Z' }])
    const { seenAt: _seen, ...post } = toItem(2)
    const { added } = await client.json<{ added: number }>('POST', '/api/memory/items', { items: [post] })
    expect(added).toBe(1)
    expect(await memory.get('local', post.id)).toMatchObject({ title: 'Page 2' })
    const send = (items: readonly unknown[]) =>
      client.request('/api/memory/items', {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ items }),
      })
    expect((await send(Array.from({ length: 201 }, () => post))).status).toBe(400)
    expect((await send([{ ...post, id: 'two\nlines' }])).status).toBe(400)
    expect((await send([])).status).toBe(400)
  })

  it('adds, accepts, edits, rejects and forgets facts, up to their number', async () => {
    const { client, memory } = await start()
    await memory.facts.add('local', {
      id: 'fact_p',
      text: 'Likes ships.',
      status: 'proposed',
      origin: { isUntrusted: true },
      createdAt: 1,
      changedAt: 1,
    })
    const change = (patch: object) => client.json<MemoryFact>('PATCH', '/api/memory/facts/fact_p', patch)
    expect(await change({ text: ' Likes\n trains. ', status: 'accepted' })).toMatchObject({
      text: 'Likes trains.',
      status: 'accepted',
    })
    expect(await change({ status: 'rejected' })).toMatchObject({ status: 'rejected' })
    for (const text of ['', ' ', 'x'.repeat(501)])
      expect(
        (
          await client.request('/api/memory/facts', {
            method: 'POST',
            headers: JSON_TYPE,
            body: JSON.stringify({ text }),
          })
        ).status,
      ).toBe(400)
    for (let n = 1; n < MAX_FACTS; n++)
      await client.json<MemoryFact>('POST', '/api/memory/facts', { text: `Fact ${n}.` })
    const full = await client.request('/api/memory/facts', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"text":"One more."}',
    })
    expect(full.status).toBe(409)
    expect((await client.request('/api/memory/facts/fact_p', { method: 'DELETE' })).status).toBe(204)
    expect((await client.request('/api/memory/facts/fact_p', { method: 'DELETE' })).status).toBe(404)
    const { facts, leftOut } = await client.json<FactList>('GET', '/api/memory/facts')
    expect(facts).toHaveLength(MAX_FACTS - 1)
    // So many do not fit into the prompt of a thread.
    expect(leftOut).toBeGreaterThan(0)
  })
})
