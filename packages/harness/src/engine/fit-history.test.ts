import { describe, expect, it } from 'vitest'
import type { Usage } from '@capstan/protocol'
import { setImmediate as tick } from 'node:timers/promises'
import { createSession } from '../entry-points/session/session.ts'
import { runStateless } from '../entry-points/stateless-loop.ts'
import type { ModelAbilities, ModelRequest } from '../models/model-client.ts'
import type { Step } from '../testing/index.ts'
import {
  calls,
  empty,
  fails,
  findUnpairedCalls,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
} from '../testing/index.ts'
import { textOf } from '../turn/message/message.ts'

const WINDOW = 10_000
const sized = (more: Partial<ModelAbilities>, ...steps: Step[]) =>
  ScriptedModel.with({ abilities: { contextWindow: WINDOW, ...more } }, ...steps)
/** A reply after which the window is so full. */
const fills = (share: number, reply: (usage: Partial<Usage>) => Step) =>
  reply({ inputTokens: WINDOW * share, outputTokens: 0 })
const answers = (words: string, share = 0.1) => fills(share, (usage) => says(words, { usage }))
const looks = (n: number, share: number) => fills(share, (usage) => calls('look', { n }, { usage }))
const isSummary = ({ system }: ModelRequest) => system.includes('memory of an assistant')

describe('a history that nears the window', () => {
  it('is summarised in one step at 0.90: the newest messages stay, and one prefix break is recorded', async () => {
    const events = recordEvents()
    const model = sized(
      {},
      ...Array.from({ length: 8 }, (_, n) => answers(`answer ${n}`)),
      answers('nearly full', 0.9),
      answers('The user counted to eight.'),
      answers('after'),
      answers('and on'),
    )
    const session = createSession({ model, onEvent: events.onEvent })
    for (let n = 0; n < 9; n++) await session.send(`question ${n}`)
    expect(events.of('history-compact')).toEqual([])
    const before = session.messages.slice()
    await session.send('question 9')
    expect(isSummary(model.request(9))).toBe(true)
    expect(model.request(9).tools).toEqual([])
    const { messages } = model.request(10)
    expect(messages[0]).toMatchObject({ role: 'notice' })
    expect(textOf(messages[0]!)).toContain('The user counted to eight.')
    expect(messages.slice(1, 10)).toEqual(before.slice(-9))
    expect(events.of('history-compact')).toMatchObject([{ how: 'summary' }])
    const [{ tokensBefore, tokensAfter } = { tokensBefore: 0, tokensAfter: 0 }] = events.of('history-compact')
    expect(tokensAfter).toBeLessThan(tokensBefore)
    expect(events.of('prefix-break')).toMatchObject([{ field: 'history' }])
    await session.send('question 10')
    expect(events.of('history-compact')).toHaveLength(1)
    expect(events.of('prefix-break')).toHaveLength(1)
  })

  it('below 0.90 is unchanged', async () => {
    const model = sized({}, answers('a', 0.89), answers('b'))
    const session = createSession({ model })
    await session.send('one')
    await session.send('two')
    expect(model.requests).toBe(2)
  })

  it('is unchanged when the window is unknown', async () => {
    const model = sized({ contextWindow: undefined }, answers('a', 50), answers('b', 50), answers('c', 50))
    const session = createSession({ model })
    for (const words of ['one', 'two', 'three']) await session.send(words)
    expect(model.requests).toBe(3)
    expect(session.messages).toHaveLength(6)
  })

  it('keeps the request of a long turn through every summary', async () => {
    const steps: Step[] = []
    for (let n = 0; n < 6; n++) steps.push(looks(n, 0.92), answers(`summary ${n}`))
    const model = sized({}, ...steps, answers('Found.'))
    const session = createSession({
      model,
      tools: [stubTool('look', ({ n }: { n: number }) => `seen ${n}`)],
      limits: { maxIterations: 20 },
    })
    expect(await session.send('Find the red book.')).toMatchObject({ type: 'done', text: 'Found.' })
    for (let n = 0; n < model.requests; n++) {
      if (isSummary(model.request(n))) continue
      expect(model.request(n).messages.map(textOf).join('\n')).toContain('Find the red book.')
      expect(findUnpairedCalls(model.request(n).messages)).toEqual([])
    }
  })

  it('is unchanged when a summary fails, and no summary is tried after three failures', async () => {
    const events = recordEvents()
    const model = sized(
      {},
      looks(1, 0.91),
      fails(400),
      looks(2, 0.91),
      empty(),
      looks(3, 0.91),
      fails(401),
      looks(4, 0.91),
      answers('Found.'),
    )
    const outcome = await runStateless({
      model,
      tools: [stubTool('look')],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Found.' })
    expect([1, 3, 5].map((n) => isSummary(model.request(n)))).toEqual([true, true, true])
    expect(isSummary(model.request(7))).toBe(false)
    expect(events.of('history-compact')).toEqual([])
  })

  it('is digested without a model when it is almost full', async () => {
    const events = recordEvents()
    const model = sized({}, looks(1, 0.96), fails(400), answers('Found.'))
    const session = createSession({ model, tools: [stubTool('look')], onEvent: events.onEvent })
    expect(await session.send('Find Ada.')).toMatchObject({ type: 'done', text: 'Found.' })
    expect(events.of('history-compact')).toMatchObject([{ how: 'digest' }])
    const { messages } = model.request(2)
    expect(textOf(messages[0]!)).toContain('Find Ada.')
    expect(findUnpairedCalls(messages)).toEqual([])
  })

  it('is not measured by tokens counted before the digest', async () => {
    const model = sized({}, looks(1, 0.3), looks(2, 0.97), fails(400), looks(3, 0.4), answers('Found.'))
    const tools = [stubTool('look', () => 'word '.repeat(1_800))]
    expect(await runStateless({ model, tools, input: 'go' })).toMatchObject({ type: 'done', text: 'Found.' })
  })

  it('streams no summary to watchers, and counts its usage', async () => {
    const events = recordEvents()
    const model = sized(
      {},
      looks(1, 0.92),
      says('SUMMARY', { usage: { inputTokens: 77 } }),
      answers('Found.'),
    )
    const outcome = await runStateless({
      model,
      tools: [stubTool('look')],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.text()).toBe('Found.')
    expect(outcome.usage.inputTokens).toBe(9_200 + 77 + 1_000)
  })

  it('is not summarised further after the turn is stopped', async () => {
    const events = recordEvents()
    const model = sized({}, looks(1, 0.96), stalls())
    const session = createSession({ model, tools: [stubTool('look')], onEvent: events.onEvent })
    const turn = session.send('go')
    await events.next('tool-end')
    await tick()
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(events.of('history-compact')).toEqual([])
    expect(model.requests).toBe(2)
  })
})

describe('a request that can never fit', () => {
  const huge = 'x'.repeat(WINDOW * 4)

  it('is refused at once by a local model, with the remedy', async () => {
    const model = sized({ windowIsLoaded: true })
    const outcome = await runStateless({ model, instructions: huge, input: 'go' })
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: { class: 'too_large', evidence: { rule: 'loaded-window' } },
    })
    expect(outcome.text).toContain('larger context')
    expect(model.requests).toBe(0)
  })

  it('is measured by the newest request, not the whole history', async () => {
    const model = sized({ windowIsLoaded: true })
    const outcome = await runStateless({ model, input: huge })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'too_large' } })
  })

  it('is sent anyway when the window is only a guess', async () => {
    const model = sized({}, answers('Fine.'))
    expect(await runStateless({ model, instructions: huge, input: 'go' })).toMatchObject({ type: 'done' })
  })

  it('ends the turn when neither summary nor digest helps', async () => {
    const model = sized(
      {},
      looks(1, 0.96),
      fails(400),
      looks(2, 0.96),
      fails(400),
      looks(3, 0.96),
      fails(400),
    )
    const outcome = await runStateless({
      model,
      instructions: 'p'.repeat(WINDOW * 4 * 0.96),
      tools: [stubTool('look')],
      input: 'go',
    })
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: { class: 'too_large', evidence: { rule: 'window-exhausted' } },
    })
  })
})
