import type { Session, TurnOptions } from '@capstan/harness'
import type { Step } from '@capstan/harness/testing'
import { ConfigurationError, createSession, createThreads } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import { defineTool, fromAiSdk, runStateless } from '@capstan/harness'
import {
  calls,
  callsMany,
  chatReply,
  empty,
  recordEvents,
  says,
  ScriptedModel,
} from '@capstan/harness/testing'
import { checkInvariants, startProviderServer } from '@capstan/harness/testing'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const City = z.object({
  name: z.string(),
  founded: z.string().transform((text) => new Date(text)),
  people: z.number().int(),
})
const OSLO = { name: 'Oslo', founded: '1048-01-01T00:00:00.000Z', people: 700_000 }
const CITY_SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, people: { type: 'integer' } },
  required: ['name', 'people'],
} as const

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  input: { type: 'object' },
  run: () => 'Oslo has 700000 people.',
})

/** A model whose provider has structured output of its own. */
const structured = (...steps: readonly Step[]) =>
  ScriptedModel.with({ abilities: { structuredOutput: true } }, ...steps)
const submits = (result: object) => calls('submit_final_result', result as never)
const noticesOf = (model: ScriptedModel, n: number) =>
  model.request(n).messages.flatMap((message) => (message.role === 'notice' ? [message.text] : []))

describe('a structured result', () => {
  it('has the type of its schema, at every entry point', async () => {
    const outcome = await runStateless({
      model: structured(says(JSON.stringify(OSLO))),
      input: 'go',
      output: City,
    })
    if (outcome.type !== 'done') throw new Error(outcome.type)
    expectTypeOf(outcome.output).toEqualTypeOf<z.output<typeof City>>()
    expect(outcome.output).toEqual({ name: 'Oslo', founded: new Date('1048-01-01'), people: 700_000 })

    const session = createSession({
      model: structured(says(JSON.stringify(OSLO)), says('{"n":1}')),
      output: City,
    })
    const sent = await session.send('go')
    if (sent.type !== 'done') throw new Error(sent.type)
    expectTypeOf(sent.output).toEqualTypeOf<z.output<typeof City>>()
    expect(sent.output.founded.getUTCFullYear()).toBe(1048)
    const other = await session.send('count', { output: z.object({ n: z.number() }) })
    if (other.type !== 'done') throw new Error(other.type)
    expectTypeOf(other.output).toEqualTypeOf<{ n: number }>()
    expect(other.output).toEqual({ n: 1 })
  })

  it('may follow tool calls', async () => {
    const model = structured(calls('look'), says(JSON.stringify(OSLO)))
    const outcome = await runStateless({ model, tools: [look], input: 'go', output: City })
    expect(outcome).toMatchObject({ type: 'done', output: { people: 700_000 } })
  })

  it('is described by JSON Schema as well', async () => {
    const model = structured(says('{"name":"Oslo","people":7}'))
    expect(await runStateless({ model, input: 'go', output: CITY_SCHEMA })).toMatchObject({
      type: 'done',
      output: { name: 'Oslo', people: 7 },
    })
  })

  it('that is no object is wrapped in a named field', async () => {
    const native = structured(says('{"result":["a","b"]}'))
    const byTool = new ScriptedModel(submits({ result: ['a', 'b'] }))
    for (const model of [native, byTool]) {
      const outcome = await runStateless({ model, input: 'go', output: z.array(z.string()) })
      expect(outcome).toMatchObject({ type: 'done', output: ['a', 'b'] })
    }
    expect(native.request(0).outputSchema).toMatchObject({ required: ['result'] })
  })

  it('is absent when no schema was given', async () => {
    const outcome = await runStateless({ model: structured(says('hi')), input: 'go' })
    expect(outcome).not.toHaveProperty('output')
  })

  it('with a schema that has no JSON Schema is refused at once', () => {
    const output = { '~standard': { version: 1, vendor: 'own', validate: () => ({ value: 1 }) } }
    expect(() => createSession({ model: new ScriptedModel(), output: output as never })).toThrow(
      ConfigurationError,
    )
  })
})

describe('a provider with structured output', () => {
  it('is sent the schema with every request, and no tool is added', async () => {
    const model = structured(calls('look'), says(JSON.stringify(OSLO)))
    await runStateless({ model, tools: [look], input: 'go', output: City })
    for (const n of [0, 1]) {
      expect(model.request(n).outputSchema).toMatchObject({
        type: 'object',
        required: ['name', 'founded', 'people'],
      })
      expect(model.request(n).tools.map(({ name }) => name)).toEqual(['look'])
    }
  })

  it.each([
    ['is not JSON', 'Oslo, of course.'],
    ['does not fit', '{"name":"Oslo"}'],
    ['is empty', undefined],
  ])('gets an answer that %s back once, and the next answer counts', async (_, bad) => {
    const model = structured(bad === undefined ? empty() : says(bad), says(JSON.stringify(OSLO)))
    const outcome = await runStateless({ model, input: 'go', output: City })
    expect(outcome).toMatchObject({ type: 'done', output: { name: 'Oslo' } })
    expect(noticesOf(model, 1)).toEqual([expect.stringContaining('not the result that was asked for')])
  })

  it('that misses the schema twice fails the turn', async () => {
    const model = structured(says('{"name":"Oslo"}'), says('{"name":"Bergen"}'))
    const outcome = await runStateless({ model, input: 'go', output: City })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'invalid_input' } })
    expect(outcome).not.toHaveProperty('output')
  })

  it('receives the schema in its own format', async () => {
    await using server = await startProviderServer(chatReply({ text: '{"name":"Oslo","people":7}' }))
    const sdk = createOpenAICompatible({
      name: 'local',
      baseURL: `${server.url}/v1`,
      supportsStructuredOutputs: true,
    })
    const model = fromAiSdk(sdk('any'), { abilities: { structuredOutput: true } })
    const outcome = await runStateless({ model, input: 'go', output: CITY_SCHEMA })
    expect(outcome).toMatchObject({ type: 'done', output: { people: 7 } })
    expect(server.requests[0]!.body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { ...CITY_SCHEMA, additionalProperties: false } },
    })
  })
})

describe('a model without structured output', () => {
  it('returns its result by calling a tool, which ends the turn', async () => {
    const model = new ScriptedModel(calls('look'), submits(OSLO))
    const outcome = await runStateless({ model, tools: [look], input: 'go', output: City })
    expect(outcome).toMatchObject({ type: 'done', output: { founded: new Date('1048-01-01') } })
    expect(model.request(0).tools.map(({ name }) => name)).toEqual(['look', 'submit_final_result'])
    expect(model.request(0)).not.toHaveProperty('outputSchema')
  })

  it('may repair a result that does not fit once', async () => {
    const model = new ScriptedModel(submits({ name: 'Oslo' }), submits(OSLO))
    expect(await runStateless({ model, input: 'go', output: City })).toMatchObject({ type: 'done' })
    const tooMany = new ScriptedModel(submits({ name: 'Oslo' }), submits({ ...OSLO, people: 0.5 }))
    const outcome = await runStateless({ model: tooMany, input: 'go', output: City })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'invalid_input' } })
  })

  it('that answers in text is asked once to call the tool', async () => {
    const model = new ScriptedModel(says('Oslo.'), submits(OSLO))
    expect(await runStateless({ model, input: 'go', output: City })).toMatchObject({ type: 'done' })
    expect(noticesOf(model, 1)).toEqual([expect.stringContaining('submit_final_result')])
    const words = new ScriptedModel(says('Oslo.'), says('Oslo!'))
    expect(await runStateless({ model: words, input: 'go', output: City })).toMatchObject({ type: 'failed' })
  })

  it('with tool choice none still has the result tool', async () => {
    const model = new ScriptedModel(submits(OSLO))
    await runStateless({
      model,
      tools: [look],
      input: 'go',
      output: City,
      modelOptions: { toolChoice: 'none' },
    })
    expect(model.request(0).toolChoice).toEqual({ tool: 'submit_final_result' })
  })

  it('keeps the same tools from turn to turn when the schema belongs to the agent', async () => {
    const model = new ScriptedModel(submits(OSLO), submits(OSLO))
    const events = recordEvents()
    const session = createSession({ model, tools: [look], output: City, onEvent: events.onEvent })
    await session.send('one')
    await session.send('two', { output: City })
    expect(model.request(1).tools).toEqual(model.request(0).tools)
    expect(events.of('prefix-break')).toEqual([])
  })

  it('loses the tool after the one message that asked for it', async () => {
    const model = new ScriptedModel(says('hi'), submits(OSLO), says('bye'))
    const session = createSession({ model, tools: [look] })
    await session.send('one')
    expect(await session.send('two', { output: City })).toMatchObject({
      type: 'done',
      output: { name: 'Oslo' },
    })
    expect(await session.send('three')).toMatchObject({ type: 'done', text: 'bye' })
    expect(model.request(2).tools.map(({ name }) => name)).toEqual(['look'])
  })

  it('in a text dialect gets instructions for calling the tool', async () => {
    const textCall =
      '<tool_call>{"name": "submit_final_result", "arguments": {"name": "Oslo", "people": 7}}</tool_call>'
    const model = new ScriptedModel(says('hi'), says(textCall))
    const session = createSession({ model, dialect: 'xml' })
    await session.send('one')
    const outcome = await session.send('two', { output: CITY_SCHEMA })
    expect(outcome).toMatchObject({ type: 'done', output: { name: 'Oslo', people: 7 } })
    expect(noticesOf(model, 1).join()).toContain('submit_final_result')
  })

  it('uses the first result that fits when one reply has several', async () => {
    const model = new ScriptedModel(
      callsMany([
        { tool: 'submit_final_result', args: OSLO },
        { tool: 'submit_final_result', args: { ...OSLO, name: 'Bergen' } },
      ]),
    )
    expect(await runStateless({ model, input: 'go', output: City })).toMatchObject({
      output: { name: 'Oslo' },
    })
  })
})

describe('a stored structured result', () => {
  const open = (model: ScriptedModel, store = createMemoryStore(), more: object = {}) => {
    const threads = createThreads({
      store,
      agent: { model, origin: 'web', tools: [look, send], ...more },
    })
    return { threads, store }
  }
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    effect: 'write',
    input: { type: 'object' },
    run: () => 'sent',
  })

  it('is kept as JSON, and parsed by the schema of the message that is sent again', async () => {
    const store = createMemoryStore()
    const first: Session = createSession({
      model: structured(says(JSON.stringify(OSLO))),
      store,
      threadId: 't',
    })
    const asked = { messageId: 'm1', output: City } satisfies TurnOptions & { messageId: string }
    const one = await first.send('go', asked)
    const again = createSession({ model: structured(), store, threadId: 't' })
    expect(await again.send('go', asked)).toEqual(one)
    const events = await store.ledger.readEvents(first.threadId, 0)
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { output: OSLO } })
    const Other = z.object({ title: z.string() })
    expect(await again.send('go', { messageId: 'm1', output: Other })).toMatchObject({
      type: 'failed',
      failure: { class: 'invalid_input' },
    })
  })

  it.each([
    ['by the provider', () => structured(calls('send'), says('words'), says(JSON.stringify(OSLO)))],
    ['by the tool', () => new ScriptedModel(calls('send'), submits({ name: 1 }), submits(OSLO))],
  ])('is still requested %s after a restart while the turn was parked', async (_, makeModel) => {
    const model = makeModel()
    const { threads, store } = open(model)
    const { id } = await threads.create()
    await (await threads.open(id)).submit('go', { output: City })
    await threads.idle()
    const restarted = open(model, store).threads
    const [pending] = await restarted.pendingApprovals()
    await restarted.answer(pending!.id, 'allow-once')
    await restarted.idle()
    const [run] = await store.runs.list({ threadId: id, userId: 'local' })
    expect(run!.outcome).toMatchObject({ type: 'done', output: OSLO })
    expect(await checkInvariants(store, [id])).toEqual([])
  })
})
