import { describe, expect, it } from 'vitest'
import { setImmediate as tick } from 'node:timers/promises'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import type { TurnObserver } from '../../seams/seams.ts'
import { calls, findUnpairedCalls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { StopHook } from '../stop-hook.ts'

/** Records every callback, in order. */
function recordingObserver(lines: string[]): TurnObserver {
  return {
    turnStarted: (_run, { text }) => void lines.push(`turnStarted ${text}`),
    messageAppended: (_run, message) => void lines.push(`appended ${message.role}`),
    requestPrepared: () => void lines.push('requestPrepared'),
    usageCounted: () => void lines.push('usageCounted'),
    callFinished: (_run, { call, result }) => void lines.push(`callFinished ${call.tool} ${result.ok}`),
    turnEnded: (_run, { type }) => void lines.push(`turnEnded ${type}`),
  }
}

const clockTool = stubTool('clock', () => '12:00')

describe('the order of a turn', () => {
  it('records each fact once, before the next one begins, and the outcome before it is announced', async () => {
    const lines: string[] = []
    await runStateless({
      model: new ScriptedModel(calls('clock'), says('Noon.')),
      tools: [
        stubTool('clock', () => {
          lines.push('(clock runs)')
          return '12:00'
        }),
      ],
      input: 'time?',
      observers: [recordingObserver(lines)],
      onEvent: ({ type }) => {
        if (type === 'turn-start' || type === 'turn-end') lines.push(`(${type})`)
      },
    })
    expect(lines).toEqual([
      'turnStarted time?',
      'appended user',
      '(turn-start)',
      'requestPrepared',
      'usageCounted',
      'appended assistant',
      '(clock runs)',
      'callFinished clock true',
      'requestPrepared',
      'usageCounted',
      'appended assistant',
      'turnEnded done',
      '(turn-end)',
    ])
  })

  it('waits for a slow observer before the calls run', async () => {
    const order: string[] = []
    await runStateless({
      model: new ScriptedModel(calls('clock'), says('Noon.')),
      tools: [stubTool('clock', () => order.push('ran'))],
      input: 'time?',
      observers: [
        {
          async messageAppended(_run, { role }) {
            await tick()
            order.push(`wrote ${role}`)
          },
        },
      ],
    })
    expect(order).toEqual(['wrote user', 'wrote assistant', 'ran', 'wrote assistant'])
  })

  it('counts iterations from one and reports the cap', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('clock'), calls('clock', { zone: 'oslo' }), says('Noon.'))
    await runStateless({ model, tools: [clockTool], input: 'time?', onEvent: events.onEvent })
    expect(events.of('iteration-start').map((event) => [event.iteration, event.maxIterations])).toEqual([
      [1, 10],
      [2, 10],
      [3, 10],
    ])
  })

  it('sums the usage of every model call', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(
      calls('clock', {}, { usage: { inputTokens: 100, outputTokens: 10, chargedUsd: 0.5, estimatedUsd: 0 } }),
      says('Noon.', { usage: { inputTokens: 200, outputTokens: 20, cachedInputTokens: 90 } }),
    )
    const { usage } = await runStateless({
      model,
      tools: [clockTool],
      input: 'time?',
      onEvent: events.onEvent,
    })
    expect(usage).toMatchObject({
      inputTokens: 300,
      outputTokens: 30,
      cachedInputTokens: 90,
      chargedUsd: 0.5,
      estimatedUsd: 0.001,
    })
    expect(events.of('usage-update').at(-1)!.total).toEqual(usage)
    expect(events.of('usage-update')[0]!.call).toMatchObject({ inputTokens: 100 })
  })

  it('holds back the next part until a slow watcher is ready', async () => {
    const order: string[] = []
    await runStateless({
      model: new ScriptedModel(says('abc', { chunk: 1 })),
      input: 'go',
      async onEvent(event) {
        if (event.type !== 'text-delta') return
        order.push(`got ${event.delta}`)
        await tick()
        order.push(`drew ${event.delta}`)
      },
    })
    expect(order).toEqual(['got a', 'drew a', 'got b', 'drew b', 'got c', 'drew c'])
  })
})

describe('a turn that cannot be recorded', () => {
  const failing = (name: keyof TurnObserver, nth = 1): TurnObserver => {
    let count = 0
    return {
      [name]() {
        if (++count === nth) throw new Error('the disk is full')
      },
    }
  }

  it('runs no call after its message could not be written', async () => {
    let ran = 0
    const events = recordEvents()
    const turn = runStateless({
      model: new ScriptedModel(calls('send')),
      tools: [stubTool('send', () => ++ran)],
      input: 'go',
      observers: [failing('messageAppended', 2)],
      onEvent: events.onEvent,
    })
    await expect(turn).rejects.toThrow('the disk is full')
    expect(ran).toBe(0)
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'failed' } })
  })

  it.each([
    'turnStarted',
    'messageAppended',
    'requestPrepared',
    'usageCounted',
    'callFinished',
    'turnEnded',
  ] as const)(
    'rejects when %s fails, ends with one failed turn-end, and settles waiting messages',
    async (name) => {
      const events = recordEvents()
      const session = createSession({
        model: new ScriptedModel(calls('clock'), says('Noon.')),
        tools: [clockTool],
        observers: [failing(name)],
        onEvent: events.onEvent,
      })
      const turn = session.send('time?')
      const steered = session.steer('hurry')
      await expect(turn).rejects.toThrow('the disk is full')
      expect(events.of('turn-end')).toHaveLength(1)
      expect(events.all.at(-1)).toMatchObject({
        type: 'turn-end',
        outcome: { type: 'failed', failure: { class: 'unknown' } },
      })
      expect(await steered).toHaveProperty('delivered')
      await session.idle()
    },
  )

  it('reports turn-end even when the closing text of a halted turn could not be written', async () => {
    const events = recordEvents()
    const turn = runStateless({
      model: new ScriptedModel(),
      input: 'go',
      stopHooks: [{ name: 'office-hours', stop: () => 'it is late' }],
      observers: [failing('messageAppended', 2)],
      onEvent: events.onEvent,
    })
    await expect(turn).rejects.toThrow('the disk is full')
    expect(events.of('turn-end')).toHaveLength(1)
  })

  it('has a start and an end in the record also when its attachment is refused', async () => {
    const lines: string[] = []
    const outcome = await runStateless({
      model: ScriptedModel.with({ abilities: { images: false } }),
      input: { text: 'look', attachments: [{ bytes: new Uint8Array(3), mediaType: 'image/png' }] },
      observers: [recordingObserver(lines)],
    })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'unsupported' } })
    expect(lines).toEqual(['turnStarted look', 'turnEnded failed'])
  })
})

describe('a listener', () => {
  const drawFails = () => {
    throw new Error('draw failed')
  }

  it.each([
    ['throws', drawFails],
    ['rejects', async () => drawFails()],
  ])('that %s never ends a turn', async (_how, draw) => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const outcome = await runStateless({
      model: new ScriptedModel(says('ok')),
      input: 'hi',
      onEvent: ({ type }) => (type === 'turn-start' ? draw() : undefined),
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'ok' })
    expect(await warned).toMatchObject({ name: 'CapstanListener' })
  })
})

describe('a stop hook', () => {
  it('ends the turn before the next model call, and is named with its reason', async () => {
    const seen: unknown[] = []
    const hook: StopHook = {
      name: 'office-hours',
      stop({ iteration, maxIterations, usage, model }) {
        seen.push([iteration, maxIterations, usage.inputTokens, model])
        return iteration > 1 ? 'it is past six' : undefined
      },
    }
    const model = new ScriptedModel(calls('clock'))
    const session = createSession({ model, tools: [clockTool], stopHooks: [hook] })
    const outcome = await session.send('time?')
    expect(outcome).toMatchObject({ type: 'halted', guard: 'office-hours', iterations: 1 })
    expect(outcome.text).toContain('it is past six')
    expect(seen).toEqual([
      [1, 10, 0, 'scripted/model'],
      [2, 10, 10, 'scripted/model'],
    ])
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('can be one of several: the first with a reason wins', async () => {
    const hook = (name: string, reason?: string): StopHook => ({ name, stop: () => reason })
    const outcome = await runStateless({
      model: new ScriptedModel(),
      input: 'hi',
      stopHooks: [hook('a'), hook('b', 'because'), hook('c', 'never asked')],
    })
    expect(outcome).toMatchObject({ type: 'halted', guard: 'b' })
  })
})
