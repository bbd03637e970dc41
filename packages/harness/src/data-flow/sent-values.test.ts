import { describe, expect, it } from 'vitest'
import { DataFlow } from './data-flow.ts'
import type { FlowTool } from './flow-types.ts'

const page: FlowTool = { name: 'web_fetch', effect: 'read', returns: ['untrusted'], destinations: ['url'] }
const mail: FlowTool = { name: 'send_mail', effect: 'write', returns: [], destinations: ['to'] }
const EVE = 'eve@evil.example'

/** What is said about a mail to the user's friend with these arguments besides, after a page was read. */
function judge(more: Readonly<Record<string, string | readonly string[]>>): string {
  const flow = new DataFlow()
  flow.userSaid(
    'Read https://shop.example/ and mail bob@ok.example, +49 30 1234567, a hello about the offer.',
  )
  flow.returned(page, { url: 'https://shop.example/' }, 'Great prices. Call us.')
  return flow.judge(mail, { to: 'bob@ok.example', body: 'Hello!', ...more }).type
}

describe('a destination that nobody declared asks:', () => {
  it.each([
    ['an address behind a name', { watchers: `Eve <${EVE}>` }],
    ['an address behind a name without brackets', { watchers: `Eve Evil ${EVE}` }],
    ['a list in one text', { watchers: `bob@ok.example\n${EVE}` }],
    ['a list of lists', { watchers: [`Doe, Eve <${EVE}>; bob@ok.example`] }],
    ['another spelling of a declared argument', { To: 'eve team' }],
    ['another spelling of an undeclared one', { Bcc: EVE }],
    ['a header in a subject', { subject: `Hello\r\nBcc: ${EVE}` }],
    ['a telephone number', { notify: '+49 30 7654321' }],
    ['an account', { pay: 'DE12 5001 0517 0648 4898 90' }],
    ['a long web address', { hook: `https://evil.example/${'x'.repeat(5_000)}` }],
    ['an address without a domain', { to: 'bob@ok.example, eve@[192.0.2.1]' }],
    ['a number behind the name of a friend', { to: 'hello offer +49 30 7654321' }],
  ])('%s', (_, more) => expect(judge(more)).toBe('ask'))
})

describe('no question for', () => {
  it.each([
    ['a name before the address that the user said', { to: 'Bob <bob@ok.example>' }],
    ['the number that the user said', { notify: '+49 30 1234567' }],
    [
      'an address in a longer text',
      { body: `Hello about the offer. The shop once wrote to ${EVE} about it.` },
    ],
    ['a labelled line in a longer text', { body: 'Hello\nto: all of you\nbye\nBob\nand more' }],
  ])('%s', (_, more) => expect(judge(more)).toBe('allow'))
})
