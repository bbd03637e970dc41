import { describe, expect, it } from 'vitest'
import { createSession } from '../entry-points/session/session.ts'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { calls, callsMany, empty, recordEvents, says, ScriptedModel } from '../testing/index.ts'
import { textOf } from '../turn/message/message.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { createLiveTools } from '../seams/tool-sources/live-tools.ts'

const tool = (name: string, run: Tool['run'], more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: { type: 'object' },
    effect: 'read',
    ...more,
    run: run as never,
  })

describe('a turn', () => {
  it('streams the answer, reports every step and ends done', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('clock', { zone: 'utc' }), says('It is noon.', { chunk: 4 }))
    const outcome = await runStateless({
      model,
      instructions: 'Be kind.',
      tools: [tool('clock', () => '12:00')],
      input: 'What time is it?',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'It is noon.', iterations: 2 })
    expect(events.text()).toBe('It is noon.')
    expect(events.all.map(({ type }) => type).filter((type) => !type.endsWith('-delta'))).toEqual([
      'turn-start',
      'iteration-start',
      'usage-update',
      'tool-start',
      'tool-end',
      'iteration-start',
      'usage-update',
      'turn-end',
    ])
    expect(model.request(1).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(textOf(model.request(1).messages[2]!)).toBe('12:00')
  })

  it('numbers its events without gaps', async () => {
    const events = recordEvents()
    const session = createSession({
      model: new ScriptedModel(says('One.'), calls('clock'), says('Two.')),
      tools: [tool('clock', () => '12:00')],
      onEvent: events.onEvent,
    })
    await session.send('first')
    await session.send('second')
    expect(events.all.map(({ seq }) => seq)).toEqual(events.all.map((_, index) => index + 1))
  })

  it('offers a tool that became available mid-turn, with the same system prompt and the same tools', async () => {
    const events = recordEvents()
    const live = createLiveTools([
      tool('connect', () => {
        live.add(tool('mail_search', () => '3 mails'))
        return 'connected'
      }),
    ])
    const model = new ScriptedModel(
      calls('connect'),
      calls('call_tool', { name: 'mail_search', arguments: { words: 'rye' } }),
      says('Three.'),
    )
    const outcome = await runStateless({
      model,
      tools: live,
      instructions: 'Hi.',
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Three.' })
    expect(events.of('notice-add')).toHaveLength(1)
    expect(events.of('notice-add')[0]!.text).toContain('"mail_search" is available')
    expect(events.of('tool-start').map((event) => event.tool)).toEqual(['connect', 'mail_search'])
    expect(model.request(1).system).toBe(model.request(0).system)
    expect(model.request(1).tools).toEqual(model.request(0).tools)
    expect(events.of('prefix-break')).toEqual([])
  })

  it('runs adjacent reads together and keeps the order of their results', async () => {
    let running = 0
    let most = 0
    const release: (() => void)[] = []
    const slow = tool('slow', async ({ n }: { n: number }) => {
      most = Math.max(most, ++running)
      if (running === 3) for (const go of release) go()
      else await new Promise<void>((resolve) => release.push(resolve))
      running--
      return `r${n}`
    })
    const model = new ScriptedModel(
      callsMany([1, 2, 3].map((n) => ({ tool: 'slow', args: { n } }))),
      says('ok'),
    )
    await runStateless({ model, tools: [slow], input: 'go' })
    expect(most).toBe(3)
    expect(model.request(1).messages.slice(2).map(textOf)).toEqual(['r1', 'r2', 'r3'])
  })

  it('fails with a reason when the reply is empty twice, and keeps it out of the history', async () => {
    const session = createSession({ model: new ScriptedModel(empty(), empty()) })
    const outcome = await session.send('hello')
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'model_unreachable' } })
    expect(outcome.text).not.toBe('')
    expect(session.messages.map(({ role }) => role)).toEqual(['user'])
  })
})
