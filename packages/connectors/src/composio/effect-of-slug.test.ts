import { describe, expect, it } from 'vitest'
import { effectOfSlug } from './effect-of-slug.ts'

describe('the effect of an action', () => {
  it.each([
    ['GMAIL_FETCH_EMAILS', 'gmail', 'read'],
    ['GMAIL_LIST_SEND_AS', 'gmail', 'read'],
    ['GITHUB_ISSUES_LIST', 'github', 'read'],
    ['GITHUB_GET_REPOSITORY_PERMISSIONS', 'github', 'read'],
    ['GOOGLEDRIVE_LIST_DELETED_FILES', 'googledrive', 'read'],
    ['NOTION_SEARCH_AND_LIST_PAGES', 'notion', 'read'],
    ['GMAIL_SEND_EMAIL', 'gmail', 'write'],
    ['SLACK_MARK_CHANNEL_AS_READ', 'slack', 'write'],
    ['GMAIL_THREAD_READ_MARK', 'gmail', 'write'],
    ['CRM_GET_OR_CREATE_CONTACT', 'crm', 'write'],
    ['NOTION_DO_THE_THING', 'notion', 'write'],
    ['GMAIL', 'gmail', 'write'],
    ['', '', 'write'],
    ['GMAIL_DELETE_MESSAGE', 'gmail', 'admin'],
    ['GITHUB_LIST_AND_DELETE_BRANCHES', 'github', 'admin'],
    ['GOOGLEDRIVE_CREATE_PERMISSION', 'googledrive', 'admin'],
    ['GITHUB_ADD_A_REPOSITORY_COLLABORATOR', 'github', 'admin'],
    ['SLACK_REMOVE_USER_FROM_CONVERSATION', 'slack', 'admin'],
    ['gmail-delete-message', 'Gmail', 'admin'],
    ['READ_LIST_ADD_BOOK', 'read_list', 'write'],
  ] as const)('%s of %s is %s', (slug, toolkit, effect) => {
    expect(effectOfSlug(slug, toolkit)).toBe(effect)
  })
})
