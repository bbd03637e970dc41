import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/stub-tool.ts'
import { fitsConstraints } from './constraints.ts'
import { destinationsOf } from './to-binding.ts'

const mail = stubTool('send_mail', () => 'sent', { effect: 'write', destinations: ['to'] })

describe('a grant for one domain', () => {
  it.each([
    ['an address behind a name', { watchers: 'Eve <eve@evil.example>' }],
    ['an address behind a name in a list', { watchers: ['Eve <eve@evil.example>'] }],
    ['a list of addresses in one text', { watchers: 'eve@evil.example, mallory@evil.example' }],
    ['another spelling of a declared argument', { To: 'Eve <eve@evil.example>' }],
    ['a header in a text', { subject: 'Hi\r\nBcc: eve@evil.example' }],
    ['a long web address', { hook: `https://evil.example/${'x'.repeat(400)}` }],
  ])('does not cover %s', (_, more) => {
    const args = { to: 'bob@ok.example', ...more }
    expect(fitsConstraints({ to: ['*@ok.example'] }, destinationsOf(mail, 'write', args))).toBe(false)
  })

  it.each(['eve%evil.example@ok.example', 'evil.example!eve@ok.example'])(
    'does not cover an address that is passed on: %s',
    (to) => {
      expect(fitsConstraints({ to: ['*@ok.example'] }, destinationsOf(mail, 'write', { to }))).toBe(false)
    },
  )
})
