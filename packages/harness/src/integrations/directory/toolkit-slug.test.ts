import { describe, expect, it } from 'vitest'
import type { NamedAction } from './toolkit-slug.ts'
import { bySlug, findAction, toSlug } from './toolkit-slug.ts'

const read = (name: string): NamedAction => ({ name, effect: 'read' })
const write = (name: string): NamedAction => ({ name, effect: 'write' })
const GMAIL = [
  read('GMAIL_FETCH_EMAILS'),
  read('GMAIL_FETCH_MESSAGE_BY_THREAD_ID'),
  write('GMAIL_SEND_EMAIL'),
  write('GMAIL_SEND_DRAFT'),
  write('GMAIL_MOVE_TO_TRASH_WITH_LABEL'),
]
const nameOf = (found: ReturnType<typeof findAction<NamedAction>>) =>
  'action' in found ? found.action.name : found.candidates

describe('a slug', () => {
  it.each([
    ['gmail', 'gmail'],
    ['Google Drive', 'google_drive'],
    ['google-drive', 'google_drive'],
    ['  Foo -- Bar!  ', 'foo_bar'],
    ['Café Zürich', 'cafe_zurich'],
    ['__init__', 'init'],
    ['v2.1', 'v2_1'],
    ['ＧＭＡＩＬ', 'gmail'],
    ['日本語', ''],
    ['!!!', ''],
    ['', ''],
    ['__proto__', 'proto'],
  ])('of %j is %j', (name, slug) => {
    expect(toSlug(name)).toBe(slug)
    expect(toSlug(slug)).toBe(slug)
  })

  it('is at most 64 characters long for any name', () => {
    expect(toSlug('ab '.repeat(100_000)).length).toBeLessThanOrEqual(64)
    expect(toSlug('\ud83d'.repeat(100))).toBe('')
  })
})

describe('toolkits by slug', () => {
  it('keep the first of two with one slug, and warn of the second and of those without one', () => {
    const warnings: string[] = []
    const found = bySlug(['Google Drive', 'google-drive', 'gmail', '???'], String, (message) =>
      warnings.push(message),
    )
    expect([...found]).toEqual([
      ['google_drive', 'Google Drive'],
      ['gmail', 'gmail'],
    ])
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('google_drive')
  })
})

describe('an action is found', () => {
  it.each([
    'GMAIL_SEND_EMAIL',
    'gmail_send_email',
    'Gmail-Send-Email',
    'gmail.send.email',
    'GMAIL SEND EMAIL',
    'gmailSendEmail',
    'send_email',
    'SEND-EMAIL',
    'sendEmail',
    ' send email ',
  ])('by %j', (asked) => {
    expect(nameOf(findAction(GMAIL, asked))).toBe('GMAIL_SEND_EMAIL')
    expect(nameOf(findAction(GMAIL, asked, 'gmail'))).toBe('GMAIL_SEND_EMAIL')
  })

  it('with the toolkit in front though its own name has none', () => {
    const actions = [write('add_note'), read('list_notes')]
    expect(nameOf(findAction(actions, 'notes_add_note', 'notes'))).toBe('add_note')
    expect(nameOf(findAction(actions, 'notes.list-notes', 'notes'))).toBe('list_notes')
  })

  it('by its exact name before any that looks like it', () => {
    const actions = [read('list'), read('List'), read('LIST')]
    expect(nameOf(findAction(actions, 'List'))).toBe('List')
  })

  it('by a part of its name when it only reads', () => {
    expect(nameOf(findAction(GMAIL, 'fetch_message_by_thread'))).toBe('GMAIL_FETCH_MESSAGE_BY_THREAD_ID')
    expect(nameOf(findAction(GMAIL, 'fetch_emails_of_today'))).toBe('GMAIL_FETCH_EMAILS')
  })
})

describe('no action is found', () => {
  it('by a part of the name of one that writes', () => {
    expect(nameOf(findAction(GMAIL, 'move_to_trash'))).toEqual(['GMAIL_MOVE_TO_TRASH_WITH_LABEL'])
  })

  it('when two match, and both are named', () => {
    const actions = [read('list_notes'), read('list-notes'), read('other')]
    expect(findAction(actions, 'LIST.NOTES')).toEqual({ candidates: ['list_notes', 'list-notes'] })
  })

  it('by a short part', () => {
    expect(nameOf(findAction(GMAIL, 'fetch'))).toEqual([
      'GMAIL_FETCH_EMAILS',
      'GMAIL_FETCH_MESSAGE_BY_THREAD_ID',
    ])
  })

  it.each(['', '   ', '???', 'GMAIL', '__proto__', 'constructor', 'no_such_thing'])('by %j', (asked) => {
    expect(findAction(GMAIL, asked)).toEqual({ candidates: [] })
  })

  it('when there are no actions', () => {
    expect(findAction([], 'send_email')).toEqual({ candidates: [] })
  })

  it('and at most five similar names are listed', () => {
    const actions = Array.from({ length: 20 }, (_, index) => write(`mail_${index}`))
    expect(findAction(actions, 'send_mail', 'x')).toMatchObject({ candidates: { length: 5 } })
  })
})
