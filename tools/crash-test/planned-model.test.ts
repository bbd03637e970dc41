import { describe, expect, it } from 'vitest'
import type { Message } from '@capstan/harness'
import type { ModelPart } from '@capstan/harness/models'
import type { ToolCall } from '@capstan/harness/seams'
import { ModelError } from '@capstan/harness'
import { stubTool } from '@capstan/harness/testing'
import { INSTRUCTIONS, createPlannedModel } from './planned-model.ts'
import { createScenario, parsePlan, toText } from './scenario.ts'
import { createStarts } from './starts.ts'

const user = (text: string, delivery?: 'steer' | 'follow-up'): Message => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  ...(delivery ? { delivery } : undefined),
})
const asked = (): Message => ({
  role: 'assistant',
  parts: [{ type: 'call', call: { id: 'call_1' as never, tool: 'look', arguments: {} } }],
})

async function ask(
  messages: readonly Message[],
  { model = createPlannedModel(), system = INSTRUCTIONS, tools = [stubTool('look')] } = {},
) {
  const parts: ModelPart[] = []
  const request = { system, messages, tools, media: {} as never, maxOutputTokens: 1 }
  await model.stream(request, new AbortController().signal, (part) => void parts.push(part))
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []))
  const text = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')
  return { calls, text, parts }
}

const look = (tag: string) => ({ words: 1, calls: [{ tool: 'look', tag }] })
const plan = { tag: 'm1', steps: [look('m1s1'), look('m1s2')] }

describe('the planned model', () => {
  it('runs the next step of the plan, and closes after the last', async () => {
    const opening = user(toText(plan))
    expect((await ask([opening])).calls[0]?.argumentsText).toBe('{"tag":"m1s1"}')
    expect((await ask([opening, asked()])).calls[0]?.argumentsText).toBe('{"tag":"m1s2"}')
    const end = await ask([opening, asked(), asked()])
    expect(end.calls).toEqual([])
    expect(end.text).toContain('the end of m1')
  })

  it('answers the same conversation with the same reply in every process', async () => {
    const messages = [user(toText(plan)), asked()]
    expect((await ask(messages)).parts).toEqual((await ask(messages)).parts)
  })

  it('runs the plan of a steering message after the first plan, and starts fresh at the next turn', async () => {
    const steered = [user(toText(plan)), asked(), user(toText({ tag: 'i1', steps: [look('i1s1')] }), 'steer')]
    expect((await ask(steered)).calls[0]?.argumentsText).toBe('{"tag":"m1s2"}')
    expect((await ask([...steered, asked()])).calls[0]?.argumentsText).toBe('{"tag":"i1s1"}')
    const next = user(toText({ tag: 'm2', steps: [look('m2s1')] }), 'follow-up')
    expect((await ask([...steered, asked(), next])).calls[0]?.argumentsText).toBe('{"tag":"m2s1"}')
  })

  it('writes calls as text when it gets no tools', async () => {
    const { calls, text } = await ask([user(toText(plan))], { tools: [] })
    expect(calls).toEqual([])
    expect(text).toContain('<tool_call>{"name":"look","arguments":{"tag":"m1s1"}}</tool_call>')
  })

  it('continues the sub-agent of an earlier call by the name in its result', async () => {
    const delegates = { tool: 'delegate_to_worker1', tag: 'd', plan: { ...plan, tag: 'd' } }
    const goesOn = { tool: 'continue_agent', tag: 'a', continues: 'd', plan }
    const opening = user(
      toText({
        tag: 'm1',
        steps: [
          { words: 0, calls: [delegates] },
          { words: 0, calls: [goesOn] },
        ],
      }),
    )
    const [call] = (await ask([opening])).calls
    const args = JSON.parse(call!.argumentsText) as ToolCall['arguments']
    const messages: Message[] = [
      opening,
      {
        role: 'assistant',
        parts: [{ type: 'call', call: { id: 'c' as never, tool: call!.tool, arguments: args } }],
      },
    ]
    const result = { role: 'tool', callId: 'c' as never, tool: call!.tool, ok: true } as const
    const name = 'It waits. To let it go on, call continue_agent with agent "worker1_7".'
    expect((await ask([...messages, { ...result, text: name }])).calls[0]?.argumentsText).toContain(
      '"worker1_7"',
    )
    expect((await ask([...messages, { ...result, text: 'it failed' }])).calls[0]?.argumentsText).toContain(
      '"nobody"',
    )
  })

  it('fails once per planned failure, and answers a side request', async () => {
    const model = createPlannedModel()
    const opening = [user(toText({ tag: 'm1', steps: [{ ...look('m1s1'), trouble: 'busy' }] }))]
    await expect(ask(opening, { model })).rejects.toThrow(ModelError)
    expect((await ask(opening, { model })).calls).toHaveLength(1)
    expect((await ask(opening, { model, system: 'You report.' })).text).toContain('a summary')
  })
})

describe('createScenario', () => {
  it('gives the same scenario for the same seed only', () => {
    expect(createScenario(1, 2)).toEqual(createScenario(1, 2))
    expect(createStarts(1, 2)).toEqual(createStarts(1, 2))
    expect(createScenario(1, 2)).not.toEqual(createScenario(2, 2))
  })

  it('covers every kind of step over some rounds', () => {
    const text = Array.from({ length: 60 }, (_, round) => JSON.stringify(createScenario(1, round))).join()
    const words = ['save', 'pay', 'send', 'look', 'worker3', 'reader', 'steer', 'follow-up', 'busy', 'breaks']
    for (const word of [...words, 'refuses', 'maxIterations', 'ask_user', 'continue_agent'])
      expect(text).toContain(word)
    const starts = Array.from({ length: 60 }, (_, round) => createStarts(1, round))
    const lasts = starts.map((all) => all.at(-1)!)
    expect(lasts.filter(({ faults, end }) => faults.length > 0 || end)).toEqual([])
  })

  it('lets parsePlan read deeply nested plans', () => {
    const nested = {
      tag: 'm1',
      steps: [{ words: 0, calls: [{ tool: 'delegate_to_worker1', tag: 'd', plan }] }],
    }
    expect(parsePlan(`[Today is Monday]\n${toText(nested)} thanks`)).toEqual(nested)
    expect(parsePlan('hello')).toBeUndefined()
  })
})
