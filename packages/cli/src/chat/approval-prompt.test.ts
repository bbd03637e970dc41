import type { CallId, RunId, ThreadId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from './approval-prompt.ts'
import { drawApprovalPrompt, parseAnswer } from './approval-prompt.ts'

const LIMITS = [{ to: ['ada@example.com'] }, { to: ['*@example.com'] }]
const asked: ApprovalRequest = {
  type: 'approval-request',
  threadId: 'thread_1' as ThreadId,
  runId: 'run_1' as RunId,
  seq: 1,
  at: 1,
  iteration: 1,
  approvalId: 'approval_1',
  callId: 'call_1' as CallId,
  tool: 'send',
  label: 'Send',
  arguments: {},
  effect: 'write',
  limits: LIMITS,
  digest: 'digest',
  expiresAt: 2,
}

describe('the answer to an approval in a chat', () => {
  it.each([
    ['Yes.', { decision: 'allow-once' }],
    ['no', { decision: 'deny' }],
    ['Sí!', { decision: 'allow-once' }],
    ['不要', { decision: 'deny' }],
    ['👍', { decision: 'allow-once' }],
    ['conversation', { decision: 'allow-thread' }],
    ['hour', { decision: 'allow-hour' }],
    ['always', { decision: 'allow-always' }],
    ['always 2', { decision: 'allow-always', constraints: LIMITS[1] }],
    ['hour 1', { decision: 'allow-hour', constraints: LIMITS[0] }],
    ['always 3', 'not-here'],
    ['yes 1', undefined],
    ['always to bob', undefined],
    ['reveal', undefined],
    ['Write to Bob instead', undefined],
  ])('%j is read as %j', (line, answer) => {
    expect(parseAnswer(line, asked)).toEqual(answer)
  })

  it('reveals hidden values where there are some', () => {
    const hidden = [{ path: 'password', chars: 8, source: 'recognised' }] as const
    expect(parseAnswer('reveal', { ...asked, hidden })).toBe('reveal')
  })

  it('has no longer yes for a call that administers', () => {
    const admin = { ...asked, effect: 'admin' } as const
    expect(parseAnswer('always', admin)).toBe('not-here')
    expect(parseAnswer('yes', admin)).toEqual({ decision: 'allow-once' })
  })
})

describe('the question of an approval in a chat', () => {
  it('names the sub-agent that asks', () => {
    const style = { width: 100, colour: false, unicode: true }
    expect(drawApprovalPrompt({ ...asked, agent: 'worker_2' }, style).join()).toContain(
      'Send (send) of the agent worker_2 needs your yes.',
    )
    expect(drawApprovalPrompt(asked, style).join()).toContain('Send (send) needs your yes.')
  })
})
