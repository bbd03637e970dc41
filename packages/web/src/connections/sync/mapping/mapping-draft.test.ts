import type { SyncMapping } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { MappingDraft } from './mapping-draft.ts'
import { fieldOfRefusal, readMappingDraft, toMappingDraft } from './mapping-draft.ts'

const WHOLE: SyncMapping = {
  list: {
    action: 'list_pages',
    args: { archived: false },
    cursor: 'page',
    items: 'data.pages',
    pages: 'total_pages',
    mostPages: 100,
    total: 'total',
    isNewestFirst: true,
  },
  read: { action: 'read_page', id: 'pageId', item: 'page' },
  fields: { id: 'id', version: 'v', at: 'at', title: 'title', text: 'text', link: 'url', people: 'by.*' },
}

const problemsOf = (fields: Partial<MappingDraft>) => {
  const read = readMappingDraft({ ...toMappingDraft(WHOLE), ...fields })
  return 'problems' in read ? read.problems : {}
}

describe('the form of a mapping', () => {
  it('keeps every field of a mapping', () => {
    expect(readMappingDraft(toMappingDraft(WHOLE))).toEqual({ mapping: WHOLE })
  })

  it('leaves out what is empty, also an action that reads', () => {
    const draft = toMappingDraft({ list: { action: ' a ', items: '.' }, fields: { id: 'id', text: 'text' } })
    expect(readMappingDraft({ ...draft, 'read.id': 'stays unused' })).toEqual({
      mapping: { list: { action: 'a', items: '.' }, fields: { id: 'id', text: 'text' } },
    })
  })

  it('says at each field what is wrong', () => {
    expect(readMappingDraft(toMappingDraft())).toEqual({
      problems: {
        'list.action': 'empty',
        'list.items': 'empty',
        'fields.id': 'empty',
        'fields.text': 'no-text',
      },
    })
    expect(problemsOf({ 'read.id': ' ' })).toEqual({ 'read.id': 'empty' })
    expect(problemsOf({ 'list.args': '[1]' })).toEqual({ 'list.args': 'not-an-object' })
    expect(problemsOf({ 'list.args': '{' })).toEqual({ 'list.args': 'not-an-object' })
    expect(problemsOf({ 'list.mostPages': '0' })).toEqual({ 'list.mostPages': 'not-a-count' })
    expect(problemsOf({ 'list.pages': '' })).toEqual({ 'list.next': 'no-next' })
    expect(problemsOf({ 'list.next': 'next' })).toEqual({ 'list.pages': 'two-next' })
    expect(problemsOf({ 'list.cursor': '' })).toEqual({ 'list.cursor': 'no-cursor' })
  })

  it('shows a refusal of the server at its field', () => {
    expect(fieldOfRefusal('sync.list.items')).toBe('list.items')
    expect(fieldOfRefusal('sync.list')).toBe('list.cursor')
    expect(fieldOfRefusal('sync.fields')).toBe('fields.text')
    expect(fieldOfRefusal('sync')).toBeUndefined()
  })
})
