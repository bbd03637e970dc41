import type { Grant, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/stub-tool.ts'
import type { GrantCall } from './grant.ts'
import { grantCovers, toGrant } from './grant.ts'
import { destinationNames } from '../tool/destination-names.ts'
import { definitionDigestOf, destinationValues, toBinding } from './to-binding.ts'

const THREAD = 'thread_1' as ThreadId
const call: GrantCall = {
  tool: 'send',
  binding: {
    app: { toolkit: 'mail', name: 'Mail' },
    connectionId: 'connection_1',
    definitionDigest: 'one',
    effect: 'write',
  },
  threadId: THREAD,
  destinations: { to: ['ada@example.com'] },
}
const give = (
  decision: 'allow-thread' | 'allow-hour' | 'allow-always',
  constraints?: Grant['constraints'],
): Grant => toGrant(call, decision, 1_000, constraints)!
const at = (now: number, needsConstraint = false) => ({ now, needsConstraint })

describe('a grant', () => {
  it.each(['allow-thread', 'allow-hour', 'allow-always'] as const)(
    'by %s covers the same call',
    (decision) => {
      expect(grantCovers(give(decision), call, at(2_000))).toBe(true)
    },
  )

  it.each([
    ['another tool', { tool: 'send_all' }],
    [
      'another app with an action of the same name',
      { binding: { ...call.binding, app: { toolkit: 'chat', name: 'Mail' } } },
    ],
    ['another account', { binding: { ...call.binding, connectionId: 'connection_2' } }],
    ['a changed definition', { binding: { ...call.binding, definitionDigest: 'two' } }],
    ['a lower effect', { binding: { ...call.binding, effect: 'read' } }],
    ['the effect admin', { binding: { ...call.binding, effect: 'admin' } }],
    ['a local tool of the same name', { binding: { definitionDigest: 'one', effect: 'write' } }],
  ] as const)('does not cover %s', (_, change) => {
    expect(grantCovers(give('allow-always'), { ...call, ...change }, at(2_000))).toBe(false)
  })

  it('that claims to cover admin covers nothing', () => {
    const binding = { ...call.binding, effect: 'admin' } as const
    const forged: Grant = { ...give('allow-always'), binding }
    expect(grantCovers(forged, { ...call, binding }, at(2_000))).toBe(false)
    expect(toGrant({ ...call, binding }, 'allow-always', 1_000)).toBeUndefined()
  })

  it('for a conversation does not cover another conversation, and the others do', () => {
    const elsewhere = { ...call, threadId: 'thread_2' as ThreadId }
    expect(grantCovers(give('allow-thread'), elsewhere, at(2_000))).toBe(false)
    expect(grantCovers(give('allow-hour'), elsewhere, at(2_000))).toBe(true)
    expect(grantCovers(give('allow-always'), elsewhere, at(2_000))).toBe(true)
  })

  it('for an hour ends after an hour, and without an end it covers nothing', () => {
    expect(grantCovers(give('allow-hour'), call, at(3_600_999))).toBe(true)
    expect(grantCovers(give('allow-hour'), call, at(3_601_000))).toBe(false)
    const { expiresAt: _, ...endless } = give('allow-hour')
    expect(grantCovers(endless, call, at(2_000))).toBe(false)
  })

  it('without constraints does not count where a constraint is needed', () => {
    expect(grantCovers(give('allow-always'), call, at(2_000, true))).toBe(false)
    const constrained = give('allow-always', { to: ['*@example.com'] })
    expect(grantCovers(constrained, call, at(2_000, true))).toBe(true)
    const other = { ...call, destinations: { to: ['eve@evil.test'] } }
    expect(grantCovers(constrained, other, at(2_000, true))).toBe(false)
    expect(grantCovers(constrained, other, at(2_000))).toBe(false)
  })

  it('has the same id when it is given again, and another one with other constraints', () => {
    expect(toGrant(call, 'allow-always', 5_000)!.id).toBe(give('allow-always').id)
    expect(give('allow-always', { to: ['ada@example.com'] }).id).not.toBe(give('allow-always').id)
    expect(toGrant({ ...call, threadId: 'thread_2' as ThreadId }, 'allow-always', 5_000)!.id).toBe(
      give('allow-always').id,
    )
  })
})

describe('the binding of a tool', () => {
  const tool = stubTool('send', () => {}, { effect: 'write', description: 'Sends.' })

  it('changes with the name, the description, the schema and the effect', () => {
    const digests = [
      tool,
      { ...tool, name: 'post' },
      { ...tool, description: 'Sends it.' },
      { ...tool, input: { type: 'object', properties: { to: { type: 'string' } } } },
      { ...tool, effect: 'admin' as const },
      { ...tool, effect: () => 'write' as const },
    ].map((one) => definitionDigestOf(one))
    expect(new Set(digests).size).toBe(6)
    expect(definitionDigestOf({ ...tool })).toBe(digests[0])
  })

  it('has the app, the account and the digest that the tool declares', () => {
    const app = { toolkit: 'mail', name: 'Mail' }
    const own = { ...tool, app, connectionId: 'connection_1', definitionDigest: 'digest' }
    expect(toBinding(own, {}, 'write')).toEqual({
      app,
      connectionId: 'connection_1',
      definitionDigest: 'digest',
      effect: 'write',
    })
  })

  it('finds every value of a destination, at any depth', () => {
    expect(
      destinationValues(['to', 'cc', 'message.recipients', 'list.address'], {
        to: ['a@x.test', { email: 'b@x.test' }],
        message: { recipients: 'c@x.test' },
        list: [[{ address: 'd@x.test' }], { address: 7 }],
        text: 'e@x.test',
      }),
    ).toEqual({
      to: ['a@x.test', 'b@x.test'],
      cc: [],
      'message.recipients': ['c@x.test'],
      'list.address': ['d@x.test', '7'],
    })
  })
})

describe('the destinations of a tool', () => {
  const properties = { to: {}, subject: {}, replyTo_email: {}, pageUrl: {}, story: {} }
  const tool = stubTool('send', () => {}, { input: { type: 'object', properties } })

  it('are what it declares, also when that is nothing', () => {
    expect(destinationNames({ ...tool, destinations: ['story'] }, 'write')).toEqual(['story'])
    expect(destinationNames({ ...tool, destinations: [] }, 'write')).toEqual([])
  })

  it('are guessed from the names of its arguments; for a read only addresses count', () => {
    expect(destinationNames(tool, 'write')).toEqual(['to', 'replyTo_email', 'pageUrl'])
    expect(destinationNames(tool, 'read')).toEqual(['pageUrl'])
  })
})
