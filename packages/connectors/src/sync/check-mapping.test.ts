import { describe, expect, it } from 'vitest'
import { checkMapping } from './check-mapping.ts'

const LIST = { action: 'list_pages', items: 'pages' }
const FIELDS = { id: 'id', text: 'text' }

describe('a mapping for a sync', () => {
  it.each([
    { list: LIST, fields: FIELDS },
    { list: { ...LIST, cursor: 'cursor', next: 'next', args: { query: '' } }, fields: FIELDS },
    { list: { ...LIST, cursor: 'page', pages: 'paging.pages', mostPages: 100 }, fields: FIELDS },
    { list: LIST, read: { action: 'read_page', id: 'pageId' }, fields: { id: 'id' } },
  ])('is taken: %j', (mapping) => {
    expect(checkMapping(mapping)).toBe(mapping)
  })

  it.each([
    ['sync', 'list_pages'],
    ['sync', { list: LIST, fields: FIELDS, app: 'gmail' }],
    ['sync.list', { fields: FIELDS }],
    ['sync.list.action', { list: { ...LIST, action: '' }, fields: FIELDS }],
    ['sync.list.items', { list: { ...LIST, items: 'x'.repeat(201) }, fields: FIELDS }],
    ['sync.list.args', { list: { ...LIST, args: { query: 'x'.repeat(5_000) } }, fields: FIELDS }],
    ['sync.list.isNewestFirst', { list: { ...LIST, isNewestFirst: 'yes' }, fields: FIELDS }],
    ['sync.list', { list: { ...LIST, cursor: 'cursor' }, fields: FIELDS }],
    ['sync.list', { list: { ...LIST, pages: 'paging.pages' }, fields: FIELDS }],
    ['sync.list', { list: { ...LIST, cursor: 'page', next: 'next', pages: 'pages' }, fields: FIELDS }],
    ['sync.list.mostPages', { list: { ...LIST, mostPages: 0.5 }, fields: FIELDS }],
    ['sync.read.id', { list: LIST, read: { action: 'read_page' }, fields: FIELDS }],
    ['sync.fields.id', { list: LIST, fields: { text: 'text' } }],
    ['sync.fields', { list: LIST, fields: { id: 'id' } }],
  ])('is refused with the field %s', (field, mapping) => {
    expect(() => checkMapping(mapping)).toThrow(expect.objectContaining({ field }) as Error)
  })
})
