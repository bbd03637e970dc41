import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/index.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { Surface } from '../../turn/tool/surface.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { ToolSource } from '../seams.ts'
import { joinTools, narrowTools } from './derived-tools.ts'
import { createFixedTools } from './fixed-tools.ts'
import { CALL_TOOL, createLiveTools } from './live-tools.ts'

const names = ({ tools }: Surface) => tools.map(({ name }) => name)
const call = (tool: string, args: JsonObject = {}) => ({ tool, arguments: args })

describe('joinTools', () => {
  it('lists the extra tools after those of the source', () => {
    const joined = joinTools(createFixedTools([stubTool('a')]), () => [stubTool('b')])
    const { surface } = joined.current()
    expect(names(surface)).toEqual(['a', 'b'])
    expect(surface.names()).toEqual(['a', 'b'])
    expect(surface.resolve(call('b')).tool).toBeDefined()
  })

  it('keeps the first tool of a name, and prefers the source over the extra tools', () => {
    const own = stubTool('a', () => 'own')
    const first = stubTool('b', () => 'first')
    const joined = joinTools(createFixedTools([own]), () => [
      stubTool('a'),
      first,
      stubTool('b', () => 'second'),
    ])
    const { surface } = joined.current()
    expect(names(surface)).toEqual(['a', 'b'])
    expect(surface.resolve(call('a')).tool).toBe(own)
    expect(surface.resolve(call('b')).tool).toBe(first)
  })

  it('keeps an extra tool when the source adds a tool with its name later', () => {
    const live = createLiveTools([stubTool('a')])
    const extra = stubTool('ask', () => 'extra')
    const joined = joinTools(live, () => [extra])
    const before = joined.current().surface
    live.add(stubTool('ask', () => 'late'))
    const { surface } = joined.current(before)
    expect(names(surface)).toEqual(names(before))
    expect(surface.resolve(call('ask')).tool).toBe(extra)
    expect(surface.names().filter((name) => name === 'ask')).toHaveLength(1)
  })

  it('returns the same surface while the surface of the source is the same', () => {
    const joined = joinTools(createFixedTools([stubTool('a')]), () => [stubTool('b')])
    const { surface } = joined.current()
    expect(joined.current(surface).surface).toBe(surface)
  })

  it('lets call_tool of a live source reach the extra tools', () => {
    const joined = joinTools(createLiveTools(), () => [stubTool('b')])
    const { surface } = joined.current()
    expect(surface.resolve(call(CALL_TOOL, { name: 'b', arguments: {} })).tool?.name).toBe('b')
  })

  it('passes on the notices of the source', () => {
    const live = createLiveTools()
    const joined = joinTools(live, () => [stubTool('b')])
    const before = joined.current().surface
    live.add(stubTool('late'))
    expect(joined.current(before).notices).toHaveLength(1)
  })
})

describe('narrowTools', () => {
  const allowsA = (name: string) => name === 'a'

  it('makes an excluded tool unreachable by any name', () => {
    const live = createLiveTools([stubTool('a'), stubTool('b')])
    const { surface } = narrowTools(live, (name) => allowsA(name) || name === CALL_TOOL).current()
    expect(names(surface)).toEqual(['a', CALL_TOOL])
    expect(surface.names()).toEqual(['a'])
    expect(surface.resolve(call('b')).tool).toBeUndefined()
    expect(surface.resolve(call(CALL_TOOL, { name: 'b', arguments: {} })).tool).toBeUndefined()
    expect(surface.resolve(call(CALL_TOOL, { name: 'a', arguments: {} })).tool?.name).toBe('a')
  })

  it('drops notices about excluded tools', () => {
    const live = createLiveTools([stubTool('a')])
    const narrowed = narrowTools(live, (name) => name !== 'secret')
    const before = narrowed.current().surface
    live.add(stubTool('secret'))
    live.add(stubTool('open'))
    const { surface, notices } = narrowed.current(before)
    expect(notices).toHaveLength(1)
    expect(notices[0]?.fact).toEqual({ kind: 'tool-added', name: 'open' })
    live.remove('secret')
    expect(narrowed.current(surface).notices).toEqual([])
  })

  it('drops the baseline and other notices of the source, which may mention excluded tools', () => {
    let announced = ['one']
    const talkative: ToolSource = {
      recall: (known) => ({ ...createSurface([stubTool('a'), stubTool('b')]), announced: known }),
      current: () => ({
        surface: talkative.recall!(announced),
        notices: [
          { text: 'Use b from now on.' },
          { text: 'The tool "b" is here.', fact: { kind: 'tool-added', name: 'b' } },
          { text: 'The tool "a" is back.', fact: { kind: 'tool-added', name: 'a' } },
        ],
        baseline: 'Use b.',
      }),
    }
    const narrowed = narrowTools(talkative, allowsA)
    const before = narrowed.current()
    expect(before.baseline).toBeUndefined()
    expect(before.surface.announced).toBeUndefined()
    expect(narrowed).not.toHaveProperty('recall')
    announced = ['two']
    expect(narrowed.current(before.surface).notices).toEqual([
      { text: 'The tool "a" is back.', fact: { kind: 'tool-added', name: 'a' } },
    ])
  })

  it('reports changes to a conversation that continues under a new narrowed source', () => {
    const live = createLiveTools([stubTool('a')])
    const before = narrowTools(live, () => true).current().surface
    live.add(stubTool('late'))
    expect(narrowTools(live, () => true).current(before).notices).toHaveLength(1)
  })

  it('can be narrowed and joined again', () => {
    const live = createLiveTools([stubTool('a'), stubTool('b'), stubTool('c')])
    const twice = narrowTools(
      narrowTools(live, (name) => name !== 'b'),
      (name) => name !== 'c',
    )
    const joined = joinTools(twice, () => [stubTool('d')])
    expect(joined.current().surface.names()).toEqual(['a', 'd'])
    const before = joined.current().surface
    live.add(stubTool('e'))
    live.remove('b')
    expect(joined.current(before).notices).toHaveLength(1)
  })
})

describe('createFixedTools', () => {
  it('always returns the same surface, without notices', () => {
    const fixed = createFixedTools([stubTool('a'), stubTool('a')])
    expect(names(fixed.current().surface)).toEqual(['a'])
    expect(fixed.current(fixed.current().surface)).toEqual({ surface: fixed.current().surface, notices: [] })
  })
})
