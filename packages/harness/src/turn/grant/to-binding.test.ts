import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/stub-tool.ts'
import { fitsConstraints } from './constraints.ts'
import { destinationsOf } from './to-binding.ts'

const mail = stubTool('send_mail', () => 'sent', { effect: 'write', destinations: ['to'] })
const TO_BOB = { to: ['bob@ok.example'] }

describe('a grant for one destination', () => {
  it('covers a call to that destination', () => {
    const args = {
      to: 'bob@ok.example',
      body: 'Hello. See report.pdf of 2026-11-18, or e.g. bob@ok.example.',
    }
    expect(fitsConstraints(TO_BOB, destinationsOf(mail, 'write', args))).toBe(true)
  })

  it.each([
    ['an address in an argument that nobody declared', { to: 'bob@ok.example', bcc: 'eve@evil.example' }],
    ['an address inside another argument', { to: 'bob@ok.example', message: { cc: ['eve@evil.example'] } }],
    ['an address as a key', { to: { 'eve@evil.example': 'bob@ok.example' } }],
    ['an address as a key elsewhere', { to: 'bob@ok.example', share: { 'eve@evil.example': true } }],
    ['a web address in another argument', { to: 'bob@ok.example', hook: 'https://evil.example/x' }],
  ])('does not cover %s', (_, args) => {
    expect(fitsConstraints(TO_BOB, destinationsOf(mail, 'write', args))).toBe(false)
  })
})

describe('a grant for one domain', () => {
  it.each([
    ['an address behind a name', { watchers: 'Eve <eve@evil.example>' }],
    ['an address behind a name in a list', { watchers: ['Eve <eve@evil.example>'] }],
    ['a list of addresses in one text', { watchers: 'eve@evil.example, mallory@evil.example' }],
    ['another spelling of a declared argument', { To: 'Eve <eve@evil.example>' }],
    ['a header in a text', { subject: 'Hi\r\nBcc: eve@evil.example' }],
    ['an address in a longer text', { body: 'Hello, write to eve@evil.example.' }],
    ['an address with a wide at sign', { watchers: 'eve＠evil.example' }],
    ['a host with a path', { hook: 'evil.example/x' }],
    ['a host alone', { hook: 'evil.example' }],
    ['an internet address', { hook: '203.0.113.7:8080' }],
    ['an address without its scheme', { hook: '//evil.example' }],
    ['a phone number', { sms: '+49 151 2345678' }],
    ['a national phone number', { sms: '0151 2345678' }],
    ['a number to call', { sms: 'tel:2345678' }],
    ['a bank account', { note: 'DE89 3704 0044 0532 0130 00' }],
    ['another spelling of a declared argument, for a name', { TO: 'everybody' }],
    ['an address as the name of an argument', { 'eve@evil.example': true }],
    ['a long web address', { hook: `https://evil.example/${'x'.repeat(400)}` }],
  ])('does not cover %s', (_, more) => {
    const args = { to: 'bob@ok.example', ...more }
    expect(fitsConstraints({ to: ['*@ok.example'] }, destinationsOf(mail, 'write', args))).toBe(false)
  })

  it.each(['eve%evil.example@ok.example', 'evil.example!eve@ok.example', 'eve=evil.example@ok.example'])(
    'does not cover an address that is passed on: %s',
    (to) => {
      expect(fitsConstraints({ to: ['*@ok.example'] }, destinationsOf(mail, 'write', { to }))).toBe(false)
    },
  )

  it('counts all spellings of a path inside of an argument', () => {
    const tool = stubTool('post', () => 'sent', { effect: 'write', destinations: ['message.to'] })
    const args = { message: { to: 'bob@ok.example', To: 'everybody' } }
    expect(destinationsOf(tool, 'write', args)).toEqual({ 'message.to': ['bob@ok.example', 'everybody'] })
  })

  it('reads a megabyte in linear time', () => {
    const started = performance.now()
    for (const text of [
      'a.'.repeat(500_000),
      'a@'.repeat(500_000),
      '+1 '.repeat(300_000),
      'A'.repeat(1_000_000),
    ])
      destinationsOf(mail, 'write', { text })
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
