import { expect, it } from 'vitest'
import { matchesHost } from './matches-host.ts'

it.each([
  ['example.com', 'example.com', true],
  ['Example.com', 'EXAMPLE.COM.', true],
  ['example.com', 'api.example.com', false],
  ['*.example.com', 'api.example.com', true],
  ['*.example.com', 'a.b.example.com', true],
  ['*.example.com', 'example.com', false],
  ['*.example.com', '.example.com', false],
  ['*.example.com', 'evil-example.com', false],
  ['*.example.com', 'example.com.evil.test', false],
])('the pattern %s and the host %s', (pattern, host, isMatch) => {
  expect(matchesHost(pattern, host)).toBe(isMatch)
})
