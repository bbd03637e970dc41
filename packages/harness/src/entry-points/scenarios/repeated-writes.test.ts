import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import type { Step } from '../../testing/index.ts'
import { calls, callsMany, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { SessionOptions } from '../session/session.ts'
import { createSession } from '../session/session.ts'
import { createThreads } from '../threads/threads.ts'
import { agent, delegate, resultsIn } from './delegation.fixture.ts'
import { killAfterCommit } from './killable-store.fixture.ts'

const PRESS = calls('press', { button: 3 })
const SEND_TO_ADA = calls('send_mail', { to: 'ada@site.example', text: 'hello' })
const SEND_TO_BOB = calls('send_mail', { to: 'bob@site.example', text: 'hello' })
const ALLOWED = { mode: 'supervised', rules: [{ tool: '*', decision: 'allow' }] } as const

function createWorld(more: Partial<Tool> = {}) {
  const done: string[] = []
  const write = (name: string) =>
    stubTool(name, ({ button, to }) => (done.push(`${name} ${JSON.stringify(button ?? to)}`), 'done'), {
      effect: 'write',
      returns: [],
      ...more,
    })
  const tools = [
    write('press'),
    { ...write('send_mail'), destinations: ['to'] },
    stubTool('look', () => 'a button'),
  ]
  return { done, tools }
}

function open(steps: readonly Step[], more: Partial<SessionOptions> = {}, tool: Partial<Tool> = {}) {
  const { done, tools } = createWorld(tool)
  const approvals = createMemoryApprovals()
  const events = recordEvents()
  const model = new ScriptedModel(...steps)
  const options = { model, tools, origin: 'web', onEvent: events.onEvent, ...more } as const
  const session = createSession({ ...options, safety: { mode: 'full', approvals, ...more.safety } })
  return { session, done, approvals, events, model }
}

describe('a write that has succeeded in this turn', () => {
  it.each([
    ['one after the other', [PRESS, PRESS]],
    ['after a read', [PRESS, calls('look'), PRESS]],
    [
      'in one reply',
      [
        callsMany([
          { tool: 'press', args: { button: 3 } },
          { tool: 'press', args: { button: 3 } },
        ]),
      ],
    ],
  ])('is not run again in mode full: %s', async (_, steps) => {
    const { session, done, model } = open([...steps, says('Pressed.')])
    expect(await session.send('press button 3')).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3'])
    const told = resultsIn(model.request(model.requests - 1)).at(-1)
    expect(told).toContain('has already succeeded in this turn')
    expect(told).toContain('after their next message')
  })

  it('has a failure that says so in plain words', async () => {
    const { session, events } = open([PRESS, PRESS, says('Pressed.')])
    await session.send('press button 3')
    expect(events.of('tool-end')[1]!.failure).toMatchObject({
      class: 'conflict',
      detail: { kind: 'done-already' },
      cause: 'The same was already done in this turn, so it was not done again.',
    })
  })

  it('does not make the work of a sub-agent incomplete when it tries again', async () => {
    const { session, done, events } = open(
      [delegate('scout'), PRESS, PRESS, says('Pressed.'), says('Done.')],
      {
        agents: [agent('scout')],
      },
    )
    await session.send('press button 3')
    expect(done).toEqual(['press 3'])
    expect(events.of('tool-end').at(-1)).toMatchObject({ tool: 'delegate_to_scout', ok: true })
  })

  it('asks a person where they are asked at all, also when a rule allows the tool', async () => {
    const { session, done, approvals, events } = open([PRESS, PRESS, says('Pressed twice.')], {
      safety: ALLOWED,
    })
    const asked = events.next('approval-request')
    const outcome = session.send('press button 3 twice')
    const request = await asked
    expect(request).toMatchObject({ tool: 'press', reason: { kind: 'repeat' } })
    expect(done).toEqual(['press 3'])
    approvals.answer(request.approvalId, 'allow-once')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3', 'press 3'])
  })

  it('is not covered by a grant', async () => {
    const { session, done, approvals, events } = open([PRESS, PRESS, says('Once.')], {
      safety: { mode: 'supervised' },
    })
    const outcome = session.send('press button 3')
    approvals.answer((await events.next('approval-request')).approvalId, 'allow-always')
    const again = await events.next('approval-request')
    expect(again.reason).toEqual({ kind: 'repeat' })
    approvals.answer(again.approvalId, 'deny')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3'])
  })

  it('is refused where nobody can be asked', async () => {
    const { session, done } = open([PRESS, PRESS, says('Pressed.')], { origin: 'task', safety: ALLOWED })
    expect(await session.send('press button 3')).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3'])
  })

  it('is not run again by a sub-agent', async () => {
    const { session, done } = open(
      [PRESS, delegate('helper'), PRESS, says('Done already.'), says('Pressed.')],
      {
        agents: [agent('helper')],
      },
    )
    expect(await session.send('press button 3')).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3'])
  })
})

describe('a repeated write runs', () => {
  it('after the next message of the person, also one that arrives in the turn', async () => {
    const { session, done, events } = open([PRESS, says('Pressed.'), PRESS, PRESS, says('Again.')])
    await session.send('press button 3')
    await session.send('once more')
    expect(done).toEqual(['press 3', 'press 3'])
    expect(events.of('tool-end').map(({ ok }) => ok)).toEqual([true, true, false])
  })

  it('after a failure, with other arguments, and for tools that may be repeated', async () => {
    let tries = 0
    const flaky = stubTool('flaky', () => (tries++ === 0 ? fail('no such row', { httpStatus: 404 }) : 'ok'), {
      effect: 'write',
      returns: [],
    })
    const first = open([calls('flaky'), calls('flaky'), says('Done.')], { tools: [flaky] })
    await first.session.send('go')
    expect(tries).toBe(2)
    const others = open([PRESS, calls('press', { button: 4 }), says('Done.')])
    await others.session.send('go')
    expect(others.done).toEqual(['press 3', 'press 4'])
    for (const more of [{ idempotent: true }, { polls: true }]) {
      const { session, done } = open([PRESS, PRESS, says('Done.')], {}, more)
      await session.send('go')
      expect(done).toEqual(['press 3', 'press 3'])
    }
  })

  it('once something else was changed, unless it sends something', async () => {
    const press = open([PRESS, calls('press', { button: 4 }), PRESS, says('Done.')])
    await press.session.send('press 3, then 4, then 3')
    expect(press.done).toEqual(['press 3', 'press 4', 'press 3'])
    const mail = open([SEND_TO_ADA, SEND_TO_BOB, SEND_TO_ADA, says('Sent.')])
    await mail.session.send('greet ada@site.example and bob@site.example')
    expect(mail.done).toEqual(['send_mail "ada@site.example"', 'send_mail "bob@site.example"'])
  })
})

const THREAD = 'thread_1' as ThreadId

describe('after a restart', () => {
  async function start(store: Store, steps: readonly Step[], tools: readonly Tool[]) {
    const process = killAfterCommit(store)
    const events = recordEvents()
    const model = new ScriptedModel(...steps)
    const threads = createThreads({
      store: process.store,
      onEvent: events.onEvent,
      agent: { model, tools, origin: 'web', safety: { mode: 'full' } },
    })
    await threads.create({ id: THREAD })
    return { threads, events, kill: () => process.kill() }
  }

  it('a write of before is not run again', async () => {
    const store = createMemoryStore()
    const { done, tools } = createWorld()
    const hung = Promise.withResolvers<never>()
    const waits = stubTool('look', () => hung.promise)
    const before = await start(store, [PRESS, calls('look')], [tools[0]!, waits])
    const session = await before.threads.open(THREAD)
    const pressed = before.events.next('tool-end')
    const looks = pressed.then(() => before.events.next('tool-start'))
    await session.submit('press button 3')
    await looks
    before.kill()

    const next = await start(store, [PRESS, says('Pressed.')], tools)
    const ended = next.events.next('turn-end')
    await next.threads.resume()
    expect((await ended).outcome).toMatchObject({ type: 'done' })
    expect(done).toEqual(['press 3'])
  })
})
