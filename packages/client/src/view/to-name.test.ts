import { expect, it } from 'vitest'
import { toName } from './to-name.ts'

it.each([
  ['create_page', 'Create page'],
  ['google-drive', 'Google drive'],
  ['GMAIL_SEND_EMAIL', 'Gmail send email'],
  ['listIssues', 'List issues'],
  ['notes.read/all', 'Notes read all'],
  ['wait', 'Wait'],
  ['__', '__'],
  ['', ''],
])('%s becomes "%s"', (slug, name) => {
  expect(toName(slug)).toBe(name)
})
