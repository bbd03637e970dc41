import { describe, expect, it } from 'vitest'
import type { ConnectionRow, ToolkitView } from '@capstan/protocol'
import {
  accountsOf,
  applyConnection,
  chooseToolkits,
  countFilters,
  needsAttention,
  toToolkitState,
} from './toolkit-state.ts'
import { account, toolkit } from './toolkit.fixture.ts'

const withStatus = (...statuses: ConnectionRow['status'][]): ToolkitView =>
  toolkit('notes', {
    connections: statuses.map((status, index) => account('notes', { id: `c${index}`, status })),
  })

describe('the state of an app', () => {
  it('is the state of its best account', () => {
    expect(toToolkitState(withStatus('expired', 'active'))).toBe('connected')
    expect(toToolkitState(withStatus('failed', 'pending'))).toBe('signing-in')
    expect(toToolkitState(withStatus('failed', 'revoked'))).toBe('expired')
    expect(toToolkitState(withStatus('failed'))).toBe('failed')
    expect(toToolkitState(withStatus('disconnected'))).toBe('not-connected')
    expect(toToolkitState(withStatus())).toBe('not-connected')
  })

  it('is no-sign-in for an app without sign-in, unless the app failed', () => {
    expect(toToolkitState(toolkit('time', { auth: 'none' }))).toBe('no-sign-in')
    const failed = [account('time', { status: 'failed' })]
    expect(toToolkitState(toolkit('time', { auth: 'none', connections: failed }))).toBe('failed')
  })

  it('reports an account that needs attention although another one works', () => {
    expect(needsAttention(withStatus('active', 'expired'))).toBe(true)
    expect(needsAttention(withStatus('active', 'pending', 'disconnected'))).toBe(false)
  })
})

it('accountsOf lists the default account first and leaves out disconnected ones', () => {
  const rows = accountsOf(
    toolkit('notes', {
      connections: [
        account('notes', { id: 'old', createdAt: 1 }),
        account('notes', { id: 'gone', status: 'disconnected' }),
        account('notes', { id: 'main', createdAt: 2, isDefault: true }),
      ],
    }),
  )
  expect(rows.map(({ id }) => id)).toEqual(['main', 'old'])
})

describe('the list of apps', () => {
  const apps = [
    toolkit('zebra', { connections: [account('zebra', { label: 'ada@example.org' })] }),
    toolkit('apple'),
    toolkit('clock', { auth: 'none', description: 'What time it is' }),
    toolkit('mail', { connections: [account('mail', { status: 'expired' })] }),
  ]
  const slugs = (search: string, filter: Parameters<typeof chooseToolkits>[1]['filter'] = 'all'): string[] =>
    chooseToolkits(apps, { search, filter, language: 'en' }).map(({ slug }) => slug)

  it('puts apps that need attention first, then usable ones, then the rest', () => {
    expect(slugs('')).toEqual(['mail', 'zebra', 'clock', 'apple'])
  })

  it('is searched by every word in name, description and accounts', () => {
    expect(slugs('TIME what')).toEqual(['clock'])
    expect(slugs('ada@')).toEqual(['zebra'])
    expect(slugs('time ada')).toEqual([])
  })

  it('is filtered, and each filter has a count', () => {
    expect(slugs('', 'connected')).toEqual(['zebra', 'clock'])
    expect(slugs('', 'attention')).toEqual(['mail'])
    expect(slugs('', 'available')).toEqual(['mail', 'apple'])
    expect(countFilters(apps)).toEqual({ all: 4, connected: 2, attention: 1, available: 2 })
  })
})

describe('an update of a connection', () => {
  const list = {
    authoritative: true,
    toolkits: [
      toolkit('notes', { connections: [account('notes', { id: 'a', isDefault: true })] }),
      toolkit('mail'),
    ],
  }

  it('replaces the account in place and leaves the other apps unchanged', () => {
    const next = applyConnection(list, account('notes', { id: 'a', isDefault: true, status: 'expired' }))
    expect(next?.toolkits[0]?.connections).toMatchObject([{ id: 'a', status: 'expired' }])
    expect(next?.toolkits[1]).toBe(list.toolkits[1])
  })

  it('adds a new account and keeps a single default', () => {
    const next = applyConnection(list, account('notes', { id: 'b', isDefault: true }))
    expect(next?.toolkits[0]?.connections.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  it('is undefined for an unknown app, so that the list is loaded again', () => {
    expect(applyConnection(list, account('other', {}))).toBeUndefined()
  })
})
