import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { ToolSource } from '../seams.ts'
import { guardTools } from './guarded-tools.ts'
import { createToolSource } from './tool-list.ts'

describe('a tool source that throws', () => {
  it('keeps its last surface, and the turn reports the reason once', async () => {
    const surface = createSurface([stubTool('look', () => 'seen')])
    let asked = 0
    const broken: ToolSource = {
      current() {
        if (++asked > 1) throw new Error('registry down')
        return { surface, notices: [] }
      },
    }
    const events = recordEvents()
    const model = new ScriptedModel(calls('look'), calls('look', { again: 1 }), says('Seen.'))
    const session = createSession({ model, tools: broken, onEvent: events.onEvent })
    expect(await session.send('look')).toMatchObject({ type: 'done', text: 'Seen.' })
    expect(events.of('tool-end').map(({ ok }) => ok)).toEqual([true, true])
    expect(events.of('surface-stale').map(({ reason }) => reason)).toEqual([
      'The tool source failed: Error: registry down',
    ])
  })

  it('offers no tools when it never worked', () => {
    const guarded = guardTools({
      current() {
        throw new Error('no')
      },
    })
    const first = guarded.current()
    expect(first).toMatchObject({
      surface: { tools: [] },
      problem: { reason: expect.stringContaining('no') },
    })
    expect(guarded.current().problem).toBe(first.problem)
    expect(guarded.current().surface).toBe(first.surface)
  })

  it('is also one that returns something other than an offer', () => {
    const guarded = guardTools({ current: () => undefined as never })
    expect(guarded.current()).toMatchObject({ surface: { tools: [] }, problem: {} })
  })

  it('falls back to its current surface when recall throws', () => {
    const surface = createSurface([])
    const guarded = guardTools({
      current: () => ({ surface, notices: [] }),
      recall() {
        throw new Error('no')
      },
    })
    expect(guarded.recall!(['notion'])).toBe(surface)
  })
})

describe('createToolSource', () => {
  it('offers a tool added to the list mid-turn without changing the prompt or the request tools', async () => {
    const tools = [stubTool('wait', () => void tools.push(stubTool('mail', () => 'sent')))]
    const model = new ScriptedModel(
      calls('wait'),
      calls('call_tool', { name: 'mail', arguments: {} }),
      says('Sent.'),
    )
    const events = recordEvents()
    const session = createSession({ model, tools: createToolSource(() => tools), onEvent: events.onEvent })
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    expect(events.of('tool-end').map(({ tool, ok }) => [tool, ok])).toEqual([
      ['wait', true],
      ['mail', true],
    ])
    expect(model.request(1).system).toBe(model.request(0).system)
    expect(model.request(1).tools).toEqual(model.request(0).tools)
    expect(events.of('notice-add').map(({ text }) => text)).toEqual([expect.stringContaining('"mail"')])
  })

  it('stops offering a tool that leaves the list', async () => {
    let tools = [stubTool('look'), stubTool('leave', () => void (tools = tools.slice(0, 1)))]
    const model = new ScriptedModel(calls('leave'), calls('leave', { again: 1 }), says('Gone.'))
    const events = recordEvents()
    await createSession({ model, tools: createToolSource(() => tools), onEvent: events.onEvent }).send('go')
    expect(events.of('tool-end').map(({ ok }) => ok)).toEqual([true, false])
  })
})
