import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/stub-tool.ts'
import { fitsConstraints } from './constraints.ts'
import { destinationsOf } from './to-binding.ts'

const mail = stubTool('send_mail', () => 'sent', { effect: 'write', destinations: ['to'] })
const TO_BOB = { to: ['bob@ok.example'] }

describe('a grant for one destination', () => {
  it('covers a call to that destination', () => {
    const args = { to: 'bob@ok.example', body: 'Hello, write to eve@evil.example.' }
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
