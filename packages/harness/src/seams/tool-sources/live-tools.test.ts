import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { z } from 'zod'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import { ALLOW_ALL, ScriptedModel, calls, says, stubTool } from '../../testing/index.ts'
import type { JsonObject } from '../../turn/json.ts'
import { textOf } from '../../turn/message/message.ts'
import type { Surface } from '../../turn/tool/surface.ts'
import { CALL_TOOL, createLiveTools } from './live-tools.ts'

const names = ({ tools }: Surface) => tools.map(({ name }) => name)
const call = (tool: string, args: JsonObject = {}) => ({ tool, arguments: args })

describe('createLiveTools', () => {
  it('sends the initial tools with the request, and call_tool for later ones', () => {
    const live = createLiveTools([stubTool('a'), stubTool('b')])
    expect(names(live.current().surface)).toEqual(['a', 'b', CALL_TOOL])
  })

  it('returns the same surface while nothing changes', () => {
    const live = createLiveTools([stubTool('a')])
    const { surface } = live.current()
    expect(live.current(surface).surface).toBe(surface)
    expect(live.remove('nobody')).toBe(false)
    expect(live.add(stubTool('a'))).toBe(false)
    expect(live.current(surface)).toEqual({ surface, notices: [] })
  })

  it('announces a later tool once, with its schema, without changing the request tools', () => {
    const live = createLiveTools([stubTool('a')])
    const before = live.current().surface
    const mail = stubTool('mail', () => 'sent', {
      description: 'Sends mail.',
      input: { type: 'object', required: ['to'] },
    })
    expect(live.add(mail)).toBe(true)
    const { surface, notices } = live.current(before)
    expect(notices).toHaveLength(1)
    expect(notices[0]?.fact).toEqual({ kind: 'tool-added', name: 'mail' })
    expect(notices[0]?.text).toContain('"mail"')
    expect(notices[0]?.text).toContain('Sends mail.')
    expect(notices[0]?.text).toContain('{"type":"object","required":["to"]}')
    expect(surface.tools).toEqual(before.tools)
    expect(live.current(surface).notices).toEqual([])
  })

  it('resolves a later tool through call_tool and by its own name', () => {
    const live = createLiveTools()
    const mail = stubTool('mail')
    live.add(mail)
    const { surface } = live.current()
    expect(surface.resolve(call(CALL_TOOL, { name: 'mail', arguments: { to: 'ada' } }))).toEqual({
      name: 'mail',
      arguments: { to: 'ada' },
      tool: mail,
    })
    expect(surface.resolve(call('mail', { to: 'ada' })).tool).toBe(mail)
  })

  it('announces a removed tool and resolves it as unknown', () => {
    const live = createLiveTools([stubTool('a')])
    const before = live.current().surface
    live.remove('a')
    const { surface, notices } = live.current(before)
    expect(notices).toEqual([
      {
        text: 'The tool "a" is no longer available. Do not call it.',
        fact: { kind: 'tool-removed', name: 'a' },
      },
    ])
    expect(surface.resolve(call('a')).tool).toBeUndefined()
    expect(surface.names()).not.toContain('a')
    expect(surface.tools).toEqual(before.tools)
  })

  it('does not announce a tool that was added and removed, or removed and added, between two reads', () => {
    const kept = stubTool('kept')
    const live = createLiveTools([kept])
    const before = live.current().surface
    live.add(stubTool('brief'))
    live.remove('brief')
    live.remove('kept')
    live.add(kept)
    expect(live.current(before).notices).toEqual([])
  })

  it('announces a tool that was replaced by another of the same name', () => {
    const live = createLiveTools([stubTool('a')])
    const before = live.current().surface
    live.remove('a')
    live.add(stubTool('a', () => 'new'))
    expect(live.current(before).notices).toHaveLength(1)
  })

  it('keeps the first tool of a name', () => {
    const first = stubTool('a', () => 'first')
    const live = createLiveTools([first, stubTool('a', () => 'second')])
    expect(live.add(stubTool('a', () => 'third'))).toBe(false)
    expect(live.current().surface.resolve(call('a')).tool).toBe(first)
  })

  it('rejects a tool named call_tool, at the start and later', () => {
    const live = createLiveTools([stubTool(CALL_TOOL)])
    expect(live.add(stubTool(CALL_TOOL))).toBe(false)
    expect(names(live.current().surface)).toEqual([CALL_TOOL])
  })

  it('gives no notices without a surface to compare, or with one from another source', () => {
    const live = createLiveTools([stubTool('a')])
    live.current()
    live.add(stubTool('b'))
    expect(live.current().notices).toEqual([])
    expect(live.current(createLiveTools().current().surface).notices).toEqual([])
  })

  it('throws on add for a tool whose schema cannot be described', () => {
    const live = createLiveTools()
    expect(() => live.add(stubTool('book', () => 'ok', { input: z.object({ when: z.date() }) }))).toThrow(
      /Date/,
    )
    expect(live.current().surface.names()).toEqual([])
  })

  it.each([
    ['no name', {}],
    ['a name that is none', { name: 7 }],
  ])('rejects call_tool with %s as arguments that do not fit', async (_what, args) => {
    const model = new ScriptedModel(calls(CALL_TOOL, args), says('ok'))
    await runStateless({ model, tools: createLiveTools(), input: 'go' })
    expect(textOf(model.request(1).messages.at(-1)!)).toMatch(/^Error: /)
  })

  it.each([
    ['none', undefined],
    ['null', null],
    ['text', 'x'],
    ['a list', [1]],
  ])(
    'does not run a tool through call_tool with arguments that are not an object: %s',
    async (_what, args) => {
      let ran = 0
      const live = createLiveTools()
      live.add(stubTool('a', () => ++ran))
      const wanted = { name: 'a', ...(args === undefined ? {} : { arguments: args }) }
      const model = new ScriptedModel(calls(CALL_TOOL, wanted), says('ok'))
      await runStateless({ model, tools: live, safety: ALLOW_ALL, input: 'go' })
      expect(ran).toBe(0)
      expect(textOf(model.request(1).messages.at(-1)!)).toMatch(
        /^Error: The arguments of "call_tool" do not fit/,
      )
    },
  )

  it('ends in the correct state after many random changes, with one notice per real change', () => {
    const step = fc.record({ add: fc.boolean(), name: fc.constantFrom('a', 'b', 'c'), look: fc.boolean() })
    const tools = new Map(['a', 'b', 'c'].map((name) => [name, stubTool(name)]))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const live = createLiveTools([tools.get('a')!])
        let seen = live.current().surface
        let known = new Set(['a'])
        const truth = new Set(['a'])
        for (const { add, name, look } of steps) {
          if (add) live.add(tools.get(name)!)
          else live.remove(name)
          if (add) truth.add(name)
          else truth.delete(name)
          if (!look) continue
          const { surface, notices } = live.current(seen)
          seen = surface
          const changed = [...tools.keys()].filter((one) => known.has(one) !== truth.has(one))
          expect(notices).toHaveLength(changed.length)
          expect(new Set(surface.names())).toEqual(truth)
          known = new Set(truth)
        }
      }),
    )
  })
})
