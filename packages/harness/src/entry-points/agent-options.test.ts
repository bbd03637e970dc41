import { describe, expect, it } from 'vitest'
import { ConfigurationError, createSession, defineTool, runStateless } from '@capstan/harness'
import type { AgentOptions } from '@capstan/harness'
import { ScriptedModel, says } from '@capstan/harness/testing'

const model = new ScriptedModel(says('Hi.'))
const tool = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'seen' })

/** The error of a session with options that TypeScript would refuse. */
function refusalOf(options: unknown): unknown {
  try {
    createSession(options as AgentOptions)
  } catch (error) {
    return error
  }
  return undefined
}

describe('the options of an agent', () => {
  it.each([
    ['no model', {}, 'model', "model: must be a name, such as 'openai/gpt-5', or a model client"],
    ['a model that is no client', { model: { id: 'x' } }, 'model', 'model client'],
    [
      'a tool without anything but a name',
      { model, tools: [{ name: 'x' }] },
      'tools',
      'the tool "x" has no input and no run',
    ],
    [
      'a tool without a name',
      { model, tools: [tool, { ...tool, name: '' }] },
      'tools',
      'the tool at index 1',
    ],
    ['a tool that is undefined', { model, tools: [undefined] }, 'tools', 'the tool at index 0'],
    ['tools that are no list', { model, tools: { look: tool } }, 'tools', 'must be a list of tools'],
    ['an unknown origin', { model, origin: 'phone' }, 'origin', 'must be one of web, cli, channel'],
  ])('with %s throw a ConfigurationError that names the field', (_, options, field, text) => {
    const error = refusalOf(options)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ field, message: expect.stringContaining(text) as string })
  })

  it('are checked for a stateless run too', async () => {
    await expect(runStateless({ input: 'Hi' } as never)).rejects.toThrow(ConfigurationError)
  })

  it('that are valid are accepted', () => {
    expect(refusalOf({ model, tools: [tool], origin: 'cli' })).toBeUndefined()
  })
})
