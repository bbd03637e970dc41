import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import type { RecordedEvents } from '../testing/index.ts'
import { createTestClock, createTestPath, createTestRun, recordEvents, stubTool } from '../testing/index.ts'
import type { JsonObject } from '../turn/json.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { quoteResult } from '../guards/quote-result.ts'
import { frameUntrusted } from '../text/untrusted-frame.ts'
import { runToolCall } from './run-tool-call.ts'
import { UNKNOWN_END } from './unknown-end.ts'

const id = 'call_1' as CallId

/** One call down the path, with its events. */
async function call(
  tools: readonly Tool[],
  wanted: Omit<ToolCall, 'id'>,
  run: Partial<RunContext> = {},
): Promise<{ readonly result: ToolResult; readonly events: RecordedEvents }> {
  const events = recordEvents()
  const result = await runToolCall(
    { id, ...wanted },
    createTestPath(tools, { run: createTestRun({ ...run, onEvent: events.onEvent }) }),
  )
  return { result, events }
}

describe('a call', () => {
  it('is reported before it runs and when it ends', async () => {
    const order: string[] = []
    const tool = stubTool('find_mail', () => {
      order.push('runs')
      return '3 mails'
    })
    const { result, events } = await call([tool], { tool: 'find_mail', arguments: { words: 'rye' } })
    expect(events.all.map(({ type }) => type)).toEqual(['tool-start', 'tool-end'])
    expect(events.of('tool-start')[0]).toMatchObject({
      iteration: 3,
      callId: id,
      tool: 'find_mail',
      arguments: { words: 'rye' },
      label: 'Find mail',
    })
    expect(events.of('tool-end')[0]).toMatchObject({
      ok: true,
      output: '3 mails',
      outputBytes: 7,
      callId: id,
    })
    expect(result).toMatchObject({ callId: id, tool: 'find_mail', ok: true, text: '3 mails' })
    expect(result.failure).toBeUndefined()
  })

  it('reports its duration', async () => {
    const clock = createTestClock()
    const tool = stubTool('slow', async () => clock.advance(250))
    const { result } = await call([tool], { tool: 'slow', arguments: {} }, { clock })
    expect(result.durationMs).toBe(250)
  })

  it('that fails has its class on the event and on the result', async () => {
    const tool = stubTool('fetch', () => fail('gone', { httpStatus: 404 }))
    const { result, events } = await call([tool], { tool: 'fetch', arguments: {} })
    expect(result).toMatchObject({ ok: false, text: 'Error: gone', failure: { class: 'not_found' } })
    expect(events.of('tool-end')[0]!.failure).toEqual(result.failure)
  })

  it('that changes something and broke off may have happened', async () => {
    const failing = (effect: Effect) =>
      stubTool('save', () => fail('Bad gateway', { httpStatus: 502, retryAfterMs: 60_000 }), { effect })
    const classOf = async (tool: Tool) =>
      (await call([tool], { tool: 'save', arguments: {} })).result.failure?.class
    expect(await classOf(failing('write'))).toBe('interrupted')
    expect(await classOf(failing('read'))).toBe('service_unavailable')
  })

  it('that may have happened tells the model not to claim it, in words that no tool can write', async () => {
    const failing = (effect: Effect, more: Partial<Tool> = {}) =>
      stubTool('save', () => fail('Bad gateway', { httpStatus: 502, retryAfterMs: 60_000 }), {
        effect,
        ...more,
      })
    const of = async (tool: Tool) => (await call([tool], { tool: 'save', arguments: {} })).result
    const told = `Error: ${UNKNOWN_END} What came back: `
    const local = await of(failing('write'))
    expect(local.text).toBe(`${told}Bad gateway`)
    expect(quoteResult(local)).toBe('Bad gateway')
    const foreign = await of(failing('write', { isThirdParty: true }))
    expect(frameUntrusted(foreign.text, foreign.from!, foreign.own)).toBe(
      `${told}<untrusted source="app">\nBad gateway\n</untrusted>`,
    )
    expect((await of(failing('read'))).text).not.toContain(UNKNOWN_END)
  })

  it('that was stopped before it began has not happened', async () => {
    const tool = stubTool('save', () => 'saved', { effect: 'write' })
    const { result } = await call([tool], { tool: 'save', arguments: {} }, { signal: AbortSignal.abort() })
    expect(result.failure?.class).toBe('cancelled')
  })

  it('of an app that only says forbidden needs another sign-in', async () => {
    const forbidden = () => fail('Forbidden', { httpStatus: 403 })
    const inApp = stubTool('list', forbidden, { effect: 'read', isThirdParty: true })
    const own = stubTool('list', forbidden, { effect: 'read' })
    const classOf = async (tool: Tool) =>
      (await call([tool], { tool: 'list', arguments: {} })).result.failure?.class
    expect(await classOf(inApp)).toBe('bad_credentials')
    expect(await classOf(own)).toBe('missing_permission')
  })

  it('that fails says "Error" once', async () => {
    const tool = stubTool('x', () => fail('Error: Error: no such page'))
    expect((await call([tool], { tool: 'x', arguments: {} })).result.text).toBe('Error: no such page')
  })

  it('of an unknown tool gets the list of tools', async () => {
    const { result, events } = await call([stubTool('a'), stubTool('b')], { tool: 'c', arguments: {} })
    expect(result).toMatchObject({ ok: false, tool: 'c', failure: { class: 'not_found' } })
    expect(result.text).toContain('"c"')
    expect(result.text).toContain('Available: a, b.')
    expect(events.all.map(({ type }) => type)).toEqual(['tool-start', 'tool-end'])
  })

  it('of an unknown tool, without any tools, gets a result that says so', async () => {
    expect((await call([], { tool: 'c', arguments: {} })).result.text).toContain('No tools are available')
  })

  it('whose arguments could not be read gets the problem and the expected shape, and nothing runs', async () => {
    let ran = false
    const input = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
    const tool = stubTool('send', () => (ran = true), { input })
    const malformed = { raw: '{"to": "ada', problem: 'It ends too early.' }
    const { result } = await call([tool], { tool: 'send', arguments: {}, malformed })
    expect(result).toMatchObject({ ok: false, failure: { class: 'invalid_input' } })
    expect(result.text).toContain('It ends too early. Nothing was run.')
    expect(result.text).toContain(`Expected: ${JSON.stringify(input)}`)
    expect(result.text).toContain('{"to": "ada')
    expect(ran).toBe(false)
  })

  it('whose arguments do not fit runs nothing and is bad input', async () => {
    let ran = false
    const tool = stubTool('send', () => (ran = true), { input: { type: 'object', required: ['to'] } })
    const { result } = await call([tool], { tool: 'send', arguments: {} })
    expect(result).toMatchObject({ ok: false, failure: { class: 'invalid_input', category: 'fixable' } })
    expect(ran).toBe(false)
  })

  it('of a question tool ends the turn only when it succeeded', async () => {
    const ask = (run: () => unknown) => stubTool('ask', run, { endsTurn: true })
    const asked = { tool: 'ask', arguments: {} }
    expect((await call([ask(() => 'Which one?')], asked)).result.endsTurn).toBe(true)
    expect((await call([ask(() => fail('no'))], asked)).result.endsTurn).toBeUndefined()
  })

  it('whose media no model can read says so in its result', async () => {
    const media = [{ mediaType: 'image/png', bytes: new Uint8Array(3), name: 'a.png' }]
    const { result } = await call([stubTool('draw', () => succeed('drawn', { media }))], {
      tool: 'draw',
      arguments: {},
    })
    expect(result.media).toBeUndefined()
    expect(result.text).toMatch(
      /^drawn\n\[The image a\.png \(image\/png\) .* cannot look at images; the user can choose a model that can\.\]$/,
    )
  })
})

describe('the label of a call', () => {
  const labelled = async (label: unknown) => {
    const tool = stubTool('send_mail', () => 'ok', { label: label as never })
    const { events } = await call([tool], { tool: 'send_mail', arguments: { to: 'ada' } })
    return events.of('tool-start')[0]!
  }

  it('is the tool’s own, with the detail', async () => {
    const event = await labelled((args: JsonObject) => ({ label: 'Write', detail: JSON.stringify(args) }))
    expect(event).toMatchObject({ label: 'Write', detail: '{"to":"ada"}' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['is undefined', () => undefined],
    ['is no text', () => ({ label: 7 })],
    ['is blank', () => ({ label: ' ' })],
  ])('is made from the name when its own %s', async (_how, label) => {
    expect(await labelled(label)).toMatchObject({ label: 'Send mail' })
  })

  it('cannot change other fields of the event', async () => {
    const event = await labelled(() => ({ label: 'Write', tool: 'other', type: 'turn-end', callId: 'x' }))
    expect(event).toMatchObject({ type: 'tool-start', tool: 'send_mail', callId: id })
  })
})

describe('the effect ceiling of a run', () => {
  const ran: string[] = []
  const tool = (effect: Tool['effect'], more: Partial<Tool> = {}) =>
    stubTool('act', () => void ran.push('ran'), { effect, ...more })
  const may = async (ceiling: Effect, acting: Tool, args: JsonObject = {}) => {
    ran.length = 0
    const { result } = await call([acting], { tool: 'act', arguments: args }, { effectCeiling: ceiling })
    expect(ran.length).toBe(result.ok ? 1 : 0)
    if (!result.ok) expect(result.failure?.class).toBe('blocked_by_policy')
    return result.ok
  }

  it.each([
    ['read', 'read', true],
    ['read', 'write', false],
    ['read', 'admin', false],
    ['write', 'read', true],
    ['write', 'write', true],
    ['write', 'admin', false],
    ['admin', 'admin', true],
  ] as const)('of %s, for a call with effect %s: %s', async (ceiling, effect, allowed) => {
    expect(await may(ceiling, tool(effect))).toBe(allowed)
  })

  it('is checked against the arguments when the effect depends on them', async () => {
    const acting = tool(({ method }) => (method === 'GET' ? 'read' : 'write'))
    expect(await may('read', acting, { method: 'GET' })).toBe(true)
    expect(await may('read', acting, { method: 'POST' })).toBe(false)
  })

  it('is checked against the final arguments, with defaults and repaired values', async () => {
    const acting = tool(({ dryRun }) => (dryRun ? 'read' : 'write'), {
      input: { type: 'object', properties: { dryRun: { type: 'boolean', default: false } } },
    })
    expect(await may('read', acting, { dryRun: true })).toBe(true)
    expect(await may('read', acting, { dryRun: 'false' })).toBe(false)
    const deleting = tool(({ mode }) => (mode === 'delete' ? 'admin' : 'read'), {
      input: { type: 'object', properties: { mode: { type: 'string', default: 'delete' } } },
    })
    expect(await may('read', deleting, {})).toBe(false)
  })

  it('treats a tool without a declared effect as one that writes', async () => {
    const throwing = tool(() => {
      throw new Error('no idea')
    })
    expect(await may('read', throwing)).toBe(false)
    expect(await may('write', throwing)).toBe(true)
    expect(await may('read', tool((() => undefined) as never))).toBe(false)
    expect(await may('read', tool('harmless' as never))).toBe(false)
    expect(await may('read', tool('toString' as never))).toBe(false)
    expect(await may('read', tool(undefined as never))).toBe(false)
  })
})
