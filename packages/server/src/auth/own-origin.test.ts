import { describe, expect, it } from 'vitest'
import { createOwnOrigins } from './own-origin.ts'

const origins = createOwnOrigins({
  host: '127.0.0.1',
  allowedOrigins: ['https://capstan.example.org'],
})
const from = (host: string | undefined, origin?: string, site?: string) =>
  origins.isOwnPage({ host, origin, site })

describe('a host name', () => {
  it.each([
    ['127.0.0.1:4317', 'http://127.0.0.1:4317'],
    ['localhost:4317', 'http://localhost:4317'],
    ['LOCALHOST:4317', 'http://localhost:4317'],
    ['[::1]:4317', 'http://[::1]:4317'],
    ['192.168.1.7:4317', 'http://192.168.1.7:4317'],
    ['capstan.example.org', 'https://capstan.example.org'],
  ])('%s belongs to this server', (host, origin) => {
    expect(origins.originOf(host)).toBe(origin)
  })

  it.each([
    undefined,
    '',
    'evil.example.com:4317',
    '127.0.0.1.evil.example.com',
    'localhost.evil.example.com:4317',
    'capstan.example.org.evil.com',
    'localhost:4317/evil',
    'user@localhost:4317',
    'localhost:99999',
  ])('%s does not belong to this server', (host) => {
    expect(origins.originOf(host)).toBeUndefined()
  })
})

describe('a page', () => {
  it('belongs to this server when it has the same origin', () => {
    expect(from('localhost:4317', 'http://localhost:4317')).toBe(true)
    expect(from('capstan.example.org', 'https://capstan.example.org')).toBe(true)
  })

  it('without an origin belongs to this server only with sec-fetch-site: same-origin', () => {
    expect(from('localhost:4317', undefined, 'same-origin')).toBe(true)
    expect(from('localhost:4317', 'null', 'same-origin')).toBe(true)
    expect(from('localhost:4317')).toBe(false)
    expect(from('localhost:4317', 'null')).toBe(false)
    expect(from('localhost:4317', undefined, 'same-site')).toBe(false)
    expect(from('localhost:4317', undefined, 'none')).toBe(false)
  })

  it.each([
    ['localhost:4317', 'http://localhost:3000'], // another program on this machine
    ['localhost:4317', 'https://localhost:4317'],
    ['localhost:4317', 'http://127.0.0.1:4317'],
    ['localhost:4317', 'https://evil.example.com'],
    ['evil.example.com:4317', 'http://evil.example.com:4317'], // a name pointed here
    ['capstan.example.org', 'http://capstan.example.org'],
  ])('at %s from %s does not belong to this server', (host, origin) => {
    expect(from(host, origin, 'same-origin')).toBe(false)
  })
})
