import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NotesApp } from '../start-notes-app.ts'
import { startNotesApp } from '../start-notes-app.ts'
import type { Era } from '../testing/mcp-client.ts'
import { connectWithToken } from '../testing/mcp-client.ts'
import { signIn } from '../testing/sign-in.ts'
import { IDEMPOTENCY_KEY } from './tools.ts'

const Written = z.object({ page: z.object({ id: z.string(), version: z.number(), url: z.string() }) })

describe.each<Era>(['legacy', 'auto'])('the tools, for clients of the era %s', (era) => {
  let app: NotesApp
  let client: Client

  beforeAll(async () => {
    app = await startNotesApp({ reindexMs: 200, clock: () => 1_700_000_000_000 })
    const { tokens } = await signIn(app.url, 'ada')
    client = await connectWithToken(app.mcpUrl, tokens.access_token, era)
  })

  afterAll(async () => {
    await client.close()
    await app.close()
  })

  async function create(title: string, text: string, key?: string): Promise<z.infer<typeof Written>['page']> {
    const result = await client.callTool({
      name: 'create_page',
      arguments: { title, text },
      ...(key === undefined ? {} : { _meta: { [IDEMPOTENCY_KEY]: key } }),
    })
    return Written.parse(result.structuredContent).page
  }

  it('have correct annotations', async () => {
    const { tools } = await client.listTools()
    const hints = Object.fromEntries(
      tools.map(({ name, annotations }) => [
        name,
        [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.idempotentHint],
      ]),
    )
    expect(hints).toEqual({
      search_pages: [true, false, true],
      list_pages: [true, false, true],
      read_page: [true, false, true],
      create_page: [false, false, false],
      update_page: [false, true, true],
      append_to_page: [false, false, false],
      delete_page: [false, true, true],
      export_notebook: [true, false, true],
      reindex_notebook: [false, false, true],
      sync_calendar: [false, false, true],
    })
    expect(tools.every(({ description, inputSchema }) => description && inputSchema.type === 'object')).toBe(
      true,
    )
  })

  it('write a page, read it, change it, add to it and delete it', async () => {
    const page = await create('Plan', 'First line.')
    expect(page.url).toBe(`${app.url}/pages/${page.id}`)
    const read = await client.callTool({ name: 'read_page', arguments: { pageId: page.id } })
    expect(read.structuredContent).toEqual({
      page: {
        id: page.id,
        title: 'Plan',
        text: 'First line.',
        updatedAt: '2023-11-14T22:13:20.000Z',
        version: 1,
        url: page.url,
      },
    })
    await client.callTool({
      name: 'update_page',
      arguments: { pageId: page.id, text: 'Second.', expectedVersion: 1 },
    })
    await client.callTool({ name: 'append_to_page', arguments: { pageId: page.id, text: 'Third.' } })
    expect(app.pages.read('ada', page.id)).toMatchObject({
      title: 'Plan',
      text: 'Second.\n\nThird.',
      version: 3,
    })
    const stale = await client.callTool({
      name: 'update_page',
      arguments: { pageId: page.id, text: 'Late.', expectedVersion: 1 },
    })
    expect(stale).toMatchObject({ isError: true, structuredContent: { error: { code: 'version_conflict' } } })

    const removed = await client.callTool({ name: 'delete_page', arguments: { pageId: page.id } })
    const again = await client.callTool({ name: 'delete_page', arguments: { pageId: page.id } })
    expect([removed.structuredContent, again.structuredContent]).toEqual([
      { deleted: true },
      { deleted: false },
    ])
    const gone = await client.callTool({ name: 'read_page', arguments: { pageId: page.id } })
    expect(gone).toMatchObject({ isError: true, structuredContent: { error: { code: 'page_not_found' } } })
  })

  it('find pages by their words and show where', async () => {
    const result = await client.callTool({ name: 'search_pages', arguments: { query: 'MUSEUM lisbon' } })
    expect(result.structuredContent).toMatchObject({
      total: 1,
      pages: [{ title: 'Trip to Lisbon', excerpt: expect.stringContaining('tile museum') }],
    })
  })

  it('list pages in parts', async () => {
    for (let index = 0; index < 25; index++) await create(`Filler ${index}`, '')
    const Part = z.object({
      pages: z.array(z.object({ id: z.string() })),
      total: z.number(),
      nextCursor: z.string().optional(),
    })
    const first = Part.parse((await client.callTool({ name: 'list_pages', arguments: {} })).structuredContent)
    const second = Part.parse(
      (await client.callTool({ name: 'list_pages', arguments: { cursor: first.nextCursor } }))
        .structuredContent,
    )
    expect(first.pages).toHaveLength(20)
    expect(second.nextCursor).toBeUndefined()
    expect(new Set([...first.pages, ...second.pages].map(({ id }) => id)).size).toBe(first.total)
  })

  it('run a repeated call once when it carries a key', async () => {
    const [one, two] = await Promise.all([create('Once', 'x', 'key-1'), create('Once', 'x', 'key-1')])
    expect(two).toEqual(one)
    expect(app.pages.list('ada').filter(({ title }) => title === 'Once')).toHaveLength(1)
    const other = await client.callTool({
      name: 'create_page',
      arguments: { title: 'Something else' },
      _meta: { [IDEMPOTENCY_KEY]: 'key-1' },
    })
    expect(other).toMatchObject({ isError: true, structuredContent: { error: { code: 'key_reused' } } })
    const unkeyed = [await create('Twice', 'x'), await create('Twice', 'x')]
    expect(unkeyed[0]?.id).not.toBe(unkeyed[1]?.id)
  })

  it('refuse a page that is too long, and arguments that make no sense', async () => {
    const long = await client.callTool({
      name: 'create_page',
      arguments: { title: 'Long', text: 'é'.repeat(100_001) },
    })
    expect(long).toMatchObject({ isError: true, structuredContent: { error: { code: 'page_too_large' } } })
    const senseless = await client
      .callTool({ name: 'create_page', arguments: { title: '' } })
      .catch((error: unknown) => error)
    expect(senseless instanceof Error || (senseless as { isError?: boolean }).isError).toBe(true)
    expect(app.pages.list('ada').some(({ title }) => title === 'Long' || title === '')).toBe(false)
  })

  it('export about two megabytes', async () => {
    const { content } = await client.callTool({ name: 'export_notebook', arguments: {} })
    const text = content[0]?.type === 'text' ? content[0].text : ''
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_999_999)
    expect(Buffer.byteLength(text)).toBeLessThan(2_100_000)
    expect(text).toContain('Cabo da Roca')
  })

  it('report the progress of a slow call', async () => {
    const seen: number[] = []
    const result = await client.callTool(
      { name: 'reindex_notebook', arguments: {} },
      { onprogress: ({ progress }) => seen.push(progress) },
    )
    expect(result.structuredContent).toMatchObject({ pages: app.pages.list('ada').length })
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('fail twice and then succeed for sync_calendar', async () => {
    const results = []
    for (let attempt = 0; attempt < 6; attempt++) {
      results.push(await client.callTool({ name: 'sync_calendar', arguments: {} }))
    }
    expect(results.map(({ isError }) => isError ?? false)).toEqual([true, true, false, true, true, false])
    expect(results[0]).toMatchObject({
      content: [{ text: '429 Too Many Requests: the calendar service is busy. Try again.' }],
      structuredContent: { error: { status: 429, retryAfterMs: 1000 } },
    })
    expect(app.pages.list('ada').filter(({ title }) => title === 'This week')).toHaveLength(1)
  })
})
