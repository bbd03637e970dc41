import { expect, it } from 'vitest'
import { isListedHost } from './allowed-hosts.ts'

it.each([
  ['https://docs.example/a?b=c', true],
  ['http://DOCS.example:8080/', true],
  ['https://a.wide.example/', true],
  ['https://wide.example/', false],
  ['https://docs.example.evil.example/', false],
  ['https://evil.example/?docs.example', false],
  ['https://docs.example@evil.example/', false],
  ['https://user:pass@docs.example/', false],
  ['ftp://docs.example/', false],
  ['docs.example', false],
  [['https://docs.example/'], false],
])('the address %j is on the list of hosts: %s', (value, isListed) => {
  expect(isListedHost(value, ['docs.example', '*.wide.example'])).toBe(isListed)
})
