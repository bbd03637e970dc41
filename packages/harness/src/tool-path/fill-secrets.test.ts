import { describe, expect, it } from 'vitest'
import { stubTool } from '../testing/index.ts'
import { fillSecrets } from './fill-secrets.ts'

const SECRET = { value: 'hunter2-hunter2', hosts: ['api.example.com'] }
const secrets = {
  get: (name: string) => (name === 'key' ? SECRET : undefined),
  names: () => ['key'],
}
const tool = (hosts?: readonly string[]) =>
  stubTool('call', () => 'ok', hosts ? { hosts: () => hosts } : undefined)
const text = (filled: ReturnType<typeof fillSecrets>) =>
  'refusal' in filled ? filled.refusal.text : filled.args

describe('a secret named in the arguments of a call', () => {
  it('is filled in for the host it is bound to, at any depth, and the arguments of the model stay', () => {
    const args = { headers: { authorization: 'Bearer {{secret:key}}' }, list: ['{{secret:key}}'] }
    const copy = structuredClone(args)
    expect(fillSecrets(tool(['api.example.com']), args, secrets)).toEqual({
      args: { headers: { authorization: `Bearer ${SECRET.value}` }, list: [SECRET.value] },
    })
    expect(args).toEqual(copy)
  })

  it('is escaped inside a URL', () => {
    const odd = { get: () => ({ ...SECRET, value: 'a&b=c#d e' }), names: () => ['key'] }
    expect(
      fillSecrets(tool(['api.example.com']), { url: 'https://api.example.com/?k={{secret:key}}' }, odd),
    ).toEqual({
      args: { url: 'https://api.example.com/?k=a%26b%3Dc%23d%20e' },
    })
  })

  it.each([
    ['another host', ['evil.example']],
    ['a look-alike host', ['api.example.com.evil.example']],
    ['one allowed and one other host', ['api.example.com', 'evil.example']],
    ['no known host', []],
    ['a tool that does not say its hosts', undefined],
  ])('refuses the call for %s', (_, hosts) => {
    const filled = fillSecrets(tool(hosts), { key: '{{secret:key}}' }, secrets)
    expect(filled).toMatchObject({ refusal: { ok: false, deniedBy: 'policy' } })
    expect(JSON.stringify(filled)).not.toContain(SECRET.value)
  })

  it('refuses an unknown name and lists the stored ones', () => {
    expect(text(fillSecrets(tool(['api.example.com']), { key: '{{secret:other}}' }, secrets))).toMatch(
      /Stored: key\./,
    )
  })

  it('is left alone when no secrets are set up', () => {
    expect(fillSecrets(tool(), { key: '{{secret:key}}' }, undefined)).toEqual({
      args: { key: '{{secret:key}}' },
    })
  })
})
