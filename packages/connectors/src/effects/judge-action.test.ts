import type { JsonSchema } from '@capstan/harness'
import { describe, expect, it } from 'vitest'
import { ACTING_VERBS, ADMIN_VERBS, FOREIGN_VERBS, READ_VERBS } from './effect-words.ts'
import type { EffectClaim } from './judge-action.ts'
import { judgeAction } from './judge-action.ts'

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} }

function judge(
  name: string,
  more: { app?: string; input?: JsonSchema; claim?: EffectClaim; isTrusted?: boolean } = {},
) {
  return judgeAction({ name, app: 'notes', input: NO_ARGUMENTS, ...more })
}

const withArguments = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })

describe('an action, by its name', () => {
  it.each([
    'get_note',
    'listNotes',
    'search-pages',
    'notes.search',
    'users.list',
    'notes_get_page',
    'API-get-user',
    'getHTTPStatus',
    'read_text_file',
    'find_and_count_pages',
    'get_post',
    'get_pull_request',
    'get_issue_comment',
    'list_open_orders',
    'list_deleted_files',
    'list_permissions',
    'search_senders',
  ])('reads: %s', (name) => {
    expect(judge(name)).toEqual({ effect: 'read', because: 'name' })
  })

  it.each([
    ['GMAIL_FETCH_EMAILS', 'gmail'],
    ['GITHUB_ISSUES_LIST', 'github'],
    ['GITHUB_GET_REPOSITORY_PERMISSIONS', 'github'],
    ['GOOGLEDRIVE_LIST_DELETED_FILES', 'googledrive'],
    ['NOTION_SEARCH_AND_LIST_PAGES', 'notion'],
    ['notion-search', 'notion'],
    ['mail_list_folders', 'mail'],
  ])('reads: %s of %s', (name, app) => {
    expect(judge(name, { app }).effect).toBe('read')
  })

  it.each([
    'send_mail',
    'sendmail',
    'createPage',
    'list_then_send',
    'search_and_replace',
    'fetch_url_post',
    'get_or_create_contact',
    'read_and_archive',
    'list_and_export',
    'export_notebook',
    'check_out',
    'getThenWrite',
    'comment_on_issue',
    'undelete_note',
    'do_the_thing',
    'overview',
    'notes',
    '',
  ])('writes: "%s"', (name) => {
    expect(judge(name).effect).toBe('write')
  })

  it.each([
    ['READ_LIST_ADD_BOOK', 'read_list'],
    ['READ_LIST_PAINT_BOOK', 'read_list'],
    ['SLACK_MARK_CHANNEL_AS_READ', 'slack'],
    ['GMAIL_THREAD_READ_MARK', 'gmail'],
    ['mail_boss', 'mail'],
    ['GMAIL', 'gmail'],
  ])('writes: %s of %s', (name, app) => {
    expect(judge(name, { app }).effect).toBe('write')
  })

  it.each([
    'delete_note',
    'get_and_delete',
    'deletefile',
    'notes.purge',
    'grantAccess',
    'REMOVE_USER_FROM_CONVERSATION',
    'LIST_AND_DELETE_BRANCHES',
    'create_permission',
    'add_a_repository_collaborator',
    'transfer_funds',
  ])('is admin: %s', (name) => {
    expect(judge(name).effect).toBe('admin')
  })
})

describe('a name that reads', () => {
  const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
  const STYLES: Readonly<Record<string, (words: readonly string[]) => string>> = {
    snake: (words) => words.join('_'),
    kebab: (words) => words.join('-'),
    dotted: (words) => words.join('.'),
    path: (words) => words.join('/'),
    camel: ([first = '', ...rest]) => first + rest.map(capital).join(''),
    pascal: (words) => words.map(capital).join(''),
    upper: (words) => words.join('_').toUpperCase(),
    loud: (words) => words.map((word, index) => (index % 2 === 1 ? word.toUpperCase() : word)).join(''),
    wide: (words) =>
      words.join('_').replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)),
    numbered: (words) => words.map((word) => `${word}2`).join('_'),
  }

  it.each(Object.keys(STYLES))('never reads with an acting verb in it, written as %s', (style) => {
    const write = STYLES[style]!
    const wrong: string[] = []
    for (const verb of [...ADMIN_VERBS, ...ACTING_VERBS, ...FOREIGN_VERBS])
      for (const read of READ_VERBS)
        for (const words of [
          [read, verb],
          [read, verb, 'user'],
          [read, 'users', verb],
          [verb, read],
          [read, 'all', 'and', verb],
        ])
          if (judge(write(words)).effect === 'read') wrong.push(write(words))
    expect(wrong).toEqual([])
  })

  it.each([
    'get_удалить',
    'list_löschen',
    'gеt_user',
    'get_user\u200b',
    'ｇｅｔ_ｕｓｅｒ２\u202e',
    '获取用户',
  ])('does not read with letters that the table does not know: %s', (name) => {
    expect(judge(name).effect).not.toBe('read')
  })
})

describe('an action with a name that reads, by its schema', () => {
  it.each([
    ['a body', { body: { type: 'string' } }],
    ['a message', { message: { type: 'string' } }],
    ['an amount', { amount: { type: 'number' } }],
    ['recipients', { recipients: { type: 'array' } }],
    ['a recipient in another word', { emailRecipient: { type: 'string' } }],
    ['to', { to: { type: 'string' } }],
    ['a command', { command: { type: 'string' } }],
    ['sql', { sql: { type: 'string' } }],
    ['a query that is a statement', { query: { type: 'string', description: 'The SQL to run.' } }],
    ['a method', { method: { type: 'string', enum: ['GET', 'POST'] } }],
    ['a webhook', { webhookUrl: { type: 'string' } }],
    ['a callback', { callback_url: { type: 'string' } }],
    ['a confirmation', { confirm: { type: 'boolean' } }],
    ['force', { force: { type: 'boolean' } }],
    ['a dry run that can be switched off', { dry_run: { type: 'boolean' } }],
    ['a switch that acts', { markAsRead: { type: 'boolean' } }],
    ['an act as a switch', { delete_after: { type: 'boolean' } }],
    ['a choice of acts', { action: { type: 'string', enum: ['get', 'delete'] } }],
    ['a nested body', { options: { type: 'object', properties: { body: { type: 'string' } } } }],
    ['an object without named fields', { params: { type: 'object' } }],
    ['a body of a request', { request_body: { type: 'string' } }],
    ['arguments without names', { filter: { type: 'object', additionalProperties: true } }],
  ] satisfies [string, Record<string, JsonSchema>][])('writes when it takes %s', (_, properties) => {
    expect(judge('get_page', { input: withArguments(properties) }).effect).toBe('write')
  })

  it.each([
    ['a query', { query: { type: 'string', description: 'Words to look for.' } }],
    ['an id of a message', { message_id: { type: 'string' } }],
    ['a range of days', { from: { type: 'string' }, to: { type: 'string' } }],
    ['whether to include the body', { body: { type: 'boolean' } }],
    ['a URL', { url: { type: 'string' } }],
    ['a method that reads', { method: { type: 'string', enum: ['GET', 'HEAD'] } }],
    ['an order', { order_by: { type: 'string' }, created_after: { type: 'string' } }],
  ] satisfies [string, Record<string, JsonSchema>][])('reads when it takes %s', (_, properties) => {
    expect(judge('get_page', { input: withArguments(properties) }).effect).toBe('read')
  })

  it('writes when it takes statements for a database', () => {
    const input = withArguments({ query: { type: 'string' } })
    expect(judge('query_database', { input }).effect).toBe('write')
    expect(judge('query_pages', { input }).effect).toBe('read')
  })

  it('writes when the schema is too deep to read', () => {
    let input: JsonSchema = { type: 'string' }
    for (let level = 0; level < 40; level++) input = { anyOf: [input] }
    expect(judge('get_page', { input }).effect).toBe('write')
  })
})

describe("a service's claim about an action", () => {
  it('counts only for a trusted service, where the name says nothing', () => {
    const claim = { reads: true }
    expect(judge('overview', { claim })).toEqual({ effect: 'write', because: 'name' })
    expect(judge('overview', { claim, isTrusted: true })).toEqual({ effect: 'read', because: 'claim' })
  })

  it('counts for a trusted service, where only the schema says otherwise', () => {
    const input = withArguments({ query: { type: 'string', description: 'SQL' } })
    const claim = { reads: true }
    expect(judge('query', { input, claim }).effect).toBe('write')
    expect(judge('query', { input, claim, isTrusted: true }).effect).toBe('read')
  })

  it.each([
    'send_mail',
    'delete_note',
    'fetch_url_post',
    'email_everybody',
    'sendmail',
    'list_and_pay',
    'export_data',
  ])('never counts against a name that acts: %s', (name) => {
    expect(judge(name, { claim: { reads: true }, isTrusted: true }).effect).not.toBe('read')
  })

  it.each([{ reads: false }, { destroys: true }, { reads: true, destroys: true }])(
    'that it does more always counts: %j',
    (claim) => {
      for (const isTrusted of [true, false])
        expect(judge('list_notes', { claim, isTrusted })).toEqual({ effect: 'write', because: 'claim' })
    },
  )
})
