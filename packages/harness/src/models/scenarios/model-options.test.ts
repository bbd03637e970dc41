import type { AgentDefinition, ModelOptions } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import { ConfigurationError, createSession, defineTool, fromAiSdk, runStateless } from '@capstan/harness'
import { calls, chatReply, says, ScriptedModel, startProviderServer } from '@capstan/harness/testing'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  input: { type: 'object' },
  run: () => 'seen',
})

const FIELDS = [
  'reasoning',
  'toolChoice',
  'maxOutputTokens',
  'temperature',
  'headers',
  'providerOptions',
] as const
const optionsOf = (request: ModelRequest) =>
  Object.fromEntries(FIELDS.flatMap((field) => (field in request ? [[field, request[field]]] : [])))
const requestsOf = (model: ScriptedModel) =>
  Array.from({ length: model.requests }, (_, n) => model.request(n))

describe('model options', () => {
  it('of an agent go with every request, and only the output limit has a default', async () => {
    const modelOptions: ModelOptions = { reasoning: 'low', temperature: 0.2, headers: { 'x-trace': '1' } }
    const model = new ScriptedModel(calls('look'), says('ok'))
    await runStateless({ model, tools: [look], modelOptions, input: 'go' })
    for (const request of requestsOf(model))
      expect(optionsOf(request)).toEqual({ ...modelOptions, maxOutputTokens: 16_384 })
    const plain = new ScriptedModel(says('ok'))
    await runStateless({ model: plain, input: 'go' })
    expect(optionsOf(plain.request(0))).toEqual({ maxOutputTokens: 16_384 })
  })

  it('of one message override the agent’s for that turn only', async () => {
    const model = new ScriptedModel(says('a'), says('b'))
    const session = createSession({
      model,
      modelOptions: {
        reasoning: 'low',
        headers: { a: '1', b: '1' },
        providerOptions: { openai: { user: 'ada', store: true } },
      },
    })
    await session.send('one', {
      modelOptions: {
        reasoning: 'high',
        maxOutputTokens: 99,
        headers: { b: '2' },
        providerOptions: { openai: { store: false } },
      },
    })
    await session.send('two')
    expect(optionsOf(model.request(0))).toEqual({
      reasoning: 'high',
      maxOutputTokens: 99,
      headers: { a: '1', b: '2' },
      providerOptions: { openai: { user: 'ada', store: false } },
    })
    expect(optionsOf(model.request(1))).toMatchObject({ reasoning: 'low', maxOutputTokens: 16_384 })
  })

  it('leave the system prompt, the tools and the messages unchanged', async () => {
    const model = new ScriptedModel(says('a'), says('b'))
    const session = createSession({ model, instructions: 'Be brief.', tools: [look] })
    await session.send('one')
    await session.send('two', { modelOptions: { reasoning: 'high', toolChoice: 'none' } })
    const [first, second] = requestsOf(model)
    expect(second!.system).toBe(first!.system)
    expect(second!.tools).toEqual(first!.tools)
    expect(second!.messages.slice(0, 1)).toEqual(first!.messages)
  })

  it.each([
    [{ maxOutputTokens: 0 }, 'modelOptions.maxOutputTokens'],
    [{ toolChoice: 'always' as 'auto' }, 'modelOptions.toolChoice'],
  ])('that are invalid are refused with the name of the field: %j', async (modelOptions, field) => {
    expect(() => createSession({ model: new ScriptedModel(), modelOptions })).toThrow(field)
    const session = createSession({ model: new ScriptedModel(says('ok')) })
    await expect(session.send('go', { modelOptions })).rejects.toThrow(ConfigurationError)
    expect(await session.send('again')).toMatchObject({ type: 'done' })
  })
})

describe('a tool choice', () => {
  it.each(['required', { tool: 'look' }] as const)(
    'of %j forces one call; then the model is free',
    async (toolChoice) => {
      const model = new ScriptedModel(calls('look'), calls('look', { again: true }), says('ok'))
      const session = createSession({ model, tools: [look] })
      expect(await session.send('go', { modelOptions: { toolChoice } })).toMatchObject({
        type: 'done',
        text: 'ok',
      })
      expect(requestsOf(model).map((request) => request.toolChoice)).toEqual([
        toolChoice,
        undefined,
        undefined,
      ])
    },
  )

  it('of none applies to the whole turn', async () => {
    const model = new ScriptedModel(calls('look'), says('ok'))
    await runStateless({ model, tools: [look], input: 'go', modelOptions: { toolChoice: 'none' } })
    expect(requestsOf(model).map((request) => request.toolChoice)).toEqual(['none', 'none'])
  })

  it('of a tool that is not offered ends the turn before the model call', async () => {
    const model = new ScriptedModel()
    const modelOptions = { toolChoice: { tool: 'fly' } }
    expect(await runStateless({ model, tools: [look], input: 'go', modelOptions })).toMatchObject({
      type: 'failed',
      failure: { class: 'invalid_input', cause: expect.stringContaining('"fly"') },
    })
    expect(model.requests).toBe(0)
  })
})

describe('the model options of a sub-agent', () => {
  const scout: AgentDefinition = { id: 'scout', description: 'Scouts.', instructions: 'You scout.' }

  it('override its parent agent’s, without the tool choice and the options of the turn', async () => {
    const model = new ScriptedModel(calls('delegate_to_scout', { prompt: 'look' }), says('seen'), says('ok'))
    const session = createSession({
      model,
      agents: [{ ...scout, modelOptions: { maxOutputTokens: 500 } }],
      modelOptions: { reasoning: 'low', temperature: 0.5, toolChoice: 'required' },
    })
    await session.send('go', { modelOptions: { reasoning: 'max' } })
    expect(optionsOf(model.request(1))).toEqual({ reasoning: 'low', temperature: 0.5, maxOutputTokens: 500 })
    expect(model.request(0)).toMatchObject({ reasoning: 'max', toolChoice: 'required' })
  })
})

describe('a provider', () => {
  it('receives reasoning effort, tool choice, output limit and headers in its own format', async () => {
    await using server = await startProviderServer(chatReply({ text: 'ok' }))
    const provider = createOpenAICompatible({ name: 'local', baseURL: `${server.url}/v1` })
    const outcome = await runStateless({
      model: fromAiSdk(provider('any')),
      tools: [look],
      input: 'go',
      modelOptions: {
        reasoning: 'high',
        toolChoice: { tool: 'look' },
        maxOutputTokens: 77,
        headers: { 'x-trace': 'abc' },
      },
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'ok' })
    const [request] = server.requests
    expect(request!.body).toMatchObject({
      reasoning_effort: 'high',
      tool_choice: { type: 'function', function: { name: 'look' } },
      max_tokens: 77,
    })
    expect(request!.headers['x-trace']).toBe('abc')
  })
})
