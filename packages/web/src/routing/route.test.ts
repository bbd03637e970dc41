import { describe, expect, it } from 'vitest'
import { parsePath, toPath } from './route.ts'
import type { Route } from './route.ts'

const PATHS: readonly (readonly [string, Exclude<Route, { page: 'not-found' }>])[] = [
  ['/', { page: 'chat' }],
  ['/t/thread_1', { page: 'chat', threadId: 'thread_1' }],
  ['/t/thread_1/run/run_2', { page: 'chat', threadId: 'thread_1', runId: 'run_2' }],
  ['/t/thread_1/call/call%2F3', { page: 'chat', threadId: 'thread_1', callId: 'call/3' }],
  ['/connections', { page: 'connections' }],
  ['/memory', { page: 'memory', tab: 'items' }],
  ['/memory/facts', { page: 'memory', tab: 'facts' }],
  ['/automations', { page: 'automations', tab: 'activity' }],
  ['/automations/jobs', { page: 'automations', tab: 'jobs' }],
  ['/runs', { page: 'runs' }],
  ['/runs/run_2', { page: 'runs', runId: 'run_2' }],
  ['/settings', { page: 'settings' }],
  ['/diagnostics', { page: 'diagnostics' }],
]

describe('routes', () => {
  it.each(PATHS)('parses %s and writes it back', (path, route) => {
    expect(parsePath(path)).toEqual(route)
    expect(toPath(route)).toBe(path)
  })

  it.each([
    '/t',
    '/t/a/b',
    '/t/a/run',
    '/t/a/run/b/c',
    '/settings/x',
    '/runs/a/b',
    '/memory/x',
    '/memory/facts/x',
    '/automations/x',
    '/automations/jobs/x',
    '/nowhere',
    '/t/%E0%A4%A',
  ])('is not-found for %s', (path) => {
    expect(parsePath(path)).toEqual({ page: 'not-found' })
  })

  it('accepts a slash at the end', () => {
    expect(parsePath('/connections/')).toEqual({ page: 'connections' })
  })
})
