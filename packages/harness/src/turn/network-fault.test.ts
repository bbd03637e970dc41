import { describe, expect, it } from 'vitest'
import { networkFaultOf } from './network-fault.ts'

const failed = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) })

describe('the fault of the network', () => {
  it.each([
    ['ECONNREFUSED', 'silent'],
    ['EHOSTUNREACH', 'silent'],
    ['ENOTFOUND', 'unknown-host'],
    ['EAI_AGAIN', 'unknown-host'],
    ['CERT_HAS_EXPIRED', 'insecure'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'insecure'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'insecure'],
    ['UND_ERR_CONNECT_TIMEOUT', 'slow'],
    ['ECONNRESET', undefined],
  ])('with the code %s is %s', (code, fault) => {
    expect(networkFaultOf(failed(code))).toBe(fault)
  })

  it('is nothing without an error, and ends in a circle of causes', () => {
    expect(networkFaultOf('ECONNREFUSED')).toBeUndefined()
    const circle = new Error('round')
    circle.cause = circle
    expect(networkFaultOf(circle)).toBeUndefined()
  })
})
