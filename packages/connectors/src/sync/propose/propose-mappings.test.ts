import type { Action } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import { describe, expect, it } from 'vitest'
import { proposeMappings } from './propose-mappings.ts'

const NEVER = new AbortController().signal

const action = (
  name: string,
  required: string[],
  optional: string[] = [],
  more?: Partial<Action>,
): Action => ({
  name,
  description: '',
  input: {
    type: 'object',
    properties: Object.fromEntries([...required, ...optional].map((one) => [one, { type: 'string' }])),
    required,
  },
  effect: 'read',
  because: 'name',
  digest: '',
  ...more,
})

const LIST = action('list_pages', [], ['cursor'])
const READ = action('read_page', ['page_id'])
const PAGE = { id: 'p1', title: 'One', updated_at: '2026-01-01', url: 'https://x.example/p1', author: 'Ada' }

/** An app with these actions and answers. */
function createApp(
  actions: readonly Action[],
  answers: Record<string, unknown>,
  outputs: Record<string, unknown> = {},
) {
  const called: { readonly name: string; readonly args: JsonObject }[] = []
  return {
    called,
    propose: () =>
      proposeMappings({
        slug: 'wiki',
        actions,
        outputOf: (name) => outputs[name],
        async call(name, args) {
          called.push({ name, args })
          if (!(name in answers)) throw new Error('no answer')
          return answers[name]
        },
        signal: NEVER,
      }),
  }
}

describe('a proposed mapping', () => {
  it('is guessed from a list and a read action, and one answer of each', async () => {
    const app = createApp([READ, action('delete_page', ['page_id'], [], { effect: 'write' }), LIST], {
      list_pages: { result: { pages: [PAGE], next_cursor: null, total: 1 } },
      read_page: { page: { ...PAGE, markdown: 'Text.' } },
    })
    const [proposal, ...others] = await app.propose()
    expect(others).toEqual([])
    expect(proposal).toEqual({
      mapping: {
        list: {
          action: 'list_pages',
          cursor: 'cursor',
          items: 'result.pages',
          next: 'result.next_cursor',
          total: 'result.total',
        },
        read: { action: 'read_page', id: 'page_id', item: 'page' },
        fields: {
          id: 'id',
          version: 'updated_at',
          at: 'updated_at',
          title: 'title',
          text: 'markdown',
          link: 'url',
          people: 'author',
        },
      },
      unsure: [],
    })
    expect(app.called).toEqual([
      { name: 'list_pages', args: {} },
      { name: 'read_page', args: { page_id: 'p1' } },
    ])
    expect(await app.propose()).toEqual([proposal])
  })

  it('is guessed from schemas alone where the server says what it answers', async () => {
    const text = { type: 'string' }
    const page = { type: 'object', properties: { id: text, title: text } }
    const app = createApp(
      [LIST, READ],
      {},
      {
        list_pages: {
          type: 'object',
          properties: {
            pages: { type: 'array', items: page },
            nextCursor: { anyOf: [text, { type: 'null' }] },
          },
        },
        read_page: { type: 'object', properties: { id: text, content: text } },
      },
    )
    expect(await app.propose()).toMatchObject([
      {
        mapping: {
          list: { items: 'pages', cursor: 'cursor', next: 'nextCursor' },
          read: { action: 'read_page', id: 'page_id' },
          fields: { id: 'id', title: 'title', text: 'content' },
        },
        unsure: [],
      },
    ])
    expect(app.called).toEqual([])
  })

  it('takes a search for everything and a fetch, and says of what it is not sure', async () => {
    const app = createApp([action('search', ['query'], ['pageToken']), action('fetch', ['id'])], {
      search: { results: [{ id: '1', title: 'One' }] },
      fetch: 'The whole text.',
    })
    expect(await app.propose()).toEqual([
      {
        mapping: {
          list: {
            action: 'search',
            args: { query: '' },
            cursor: 'pageToken',
            next: 'nextPageToken',
            items: 'results',
          },
          read: { action: 'fetch', id: 'id' },
          fields: { id: 'id', title: 'title' },
        },
        unsure: ['list.cursor', 'list.next', 'list.args'],
      },
    ])
  })

  it('needs no read action when the list has the texts', async () => {
    const app = createApp([action('listMessages', [])], { listMessages: [{ key: 1, body: 'Hello.' }] })
    expect(await app.propose()).toMatchObject([
      { mapping: { list: { items: '.' }, fields: { id: 'key', text: 'body' } } },
    ])
  })

  it.each<[string, readonly Action[], Record<string, unknown>]>([
    [
      'the list needs more than words',
      [action('list_pages', ['workspace_id']), READ],
      { list_pages: { pages: [PAGE] } },
    ],
    ['an item has no id', [LIST, READ], { list_pages: { pages: [{ title: 'One' }] }, read_page: 'Text.' }],
    ['the list is empty', [LIST, READ], { list_pages: { pages: [] }, read_page: 'Text.' }],
    [
      'it is not clear which list',
      [LIST, READ],
      { list_pages: { a: [PAGE], b: [PAGE] }, read_page: 'Text.' },
    ],
    ['nothing has a text', [LIST, READ], { list_pages: { pages: [PAGE] }, read_page: { id: 'p1' } }],
    ['the list fails', [LIST, READ], {}],
    [
      'the read action is about something else',
      [LIST, action('read_user', ['id'])],
      { list_pages: { pages: [PAGE] } },
    ],
    [
      'the actions may change something',
      [{ ...LIST, effect: 'write' }, READ],
      { list_pages: { pages: [PAGE] } },
    ],
    ['the answer is no data', [LIST, READ], { list_pages: 'Sorry.' }],
  ])('is not made when %s', async (_, actions, answers) => {
    const app = createApp(actions, answers)
    expect(await app.propose()).toEqual([])
    for (const { name } of app.called) expect(actions.find((one) => one.name === name)?.effect).toBe('read')
  })

  it('of a hostile app has no path that leads elsewhere, and costs few calls', async () => {
    const many = Array.from({ length: 200 }, (_, n) => action(`list_thing${n}x`, []))
    const odd = {
      __proto__: null,
      'a.b': [PAGE],
      '*': [PAGE],
      'x y': 'z',
      results: [{ 'id.x': '1', id: '1', text: 'T' }],
    }
    const app = createApp(many, Object.fromEntries(many.map(({ name }) => [name, odd])))
    const proposals = await app.propose()
    expect(proposals).toHaveLength(3)
    expect(proposals[0]!.mapping).toMatchObject({
      list: { items: 'results' },
      fields: { id: 'id', text: 'text' },
    })
    expect(app.called).toHaveLength(3)
    const silent = createApp(many, {})
    expect(await silent.propose()).toEqual([])
    expect(silent.called).toHaveLength(8)
  })
})
