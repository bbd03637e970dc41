import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { createAsker } from '../../models/generate-once.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import { createMemoryArtifacts } from '../../ports/memory/memory-artifacts.ts'
import { createMemoryConnectionStore } from '../../ports/memory/memory-connection-store.ts'
import type { Action, Connector } from '../../ports/connector.ts'
import { ALLOW_ALL, calls, recordEvents, says, ScriptedModel } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { succeed } from '../../turn/tool/tool-outcome.ts'
import type { IntegrationsOptions } from '../integrations.ts'
import { createIntegrations } from '../integrations.ts'

const action = (name: string, described = 'A page.'): Action => ({
  name,
  description: `Does ${name}.`,
  input: {
    type: 'object',
    properties: { title: { type: 'string', description: described } },
    required: ['title'],
  },
  effect: 'read',
  digest: name,
})

/** A connected app with these actions, each of which answers with `answer`. */
async function start(
  model: ScriptedModel,
  actions: readonly Action[],
  more: Partial<IntegrationsOptions> & { readonly answer?: string } = {},
) {
  const called: string[] = []
  const connector: Connector = {
    id: 'fake',
    toolkits: async () => [
      { slug: 'pages', name: 'Pages', description: 'Pages.', connector: 'fake', auth: 'none' },
    ],
    beginSignIn: async () => ({ type: 'settled', status: 'active', label: 'ada' }),
    finishSignIn: async () => ({ status: 'active', label: 'ada' }),
    check: async () => ({ status: 'active' }),
    actions: async () => actions,
    async execute(_, name, args) {
      called.push(`${name} ${JSON.stringify(args)}`)
      return succeed(more.answer ?? 'ok')
    },
    disconnect: async () => {},
    onChange: () => () => {},
    close: async () => {},
  }
  const integrations = createIntegrations({
    connectors: [connector],
    store: createMemoryConnectionStore(),
    ...more,
  })
  const connection = (await integrations.connections.begin('ada', 'pages'))!
  await integrations.connections.signIn(connection.id, {
    userId: 'ada',
    browserId: 'b',
    redirectUri: 'http://127.0.0.1/callback',
  })
  const events = recordEvents()
  const session = createSession({
    model,
    instructions: 'You lead.',
    safety: { ...ALLOW_ALL, ...(more.artifacts ? { artifacts: more.artifacts } : {}) },
    onEvent: events.onEvent,
    ...integrations.forUser('ada'),
  })
  return { session, called, events }
}

const ask = calls('delegate_to_integrations_agent', { toolkit: 'pages', prompt: 'Look at Tea.' })
const names = ({ tools }: ModelRequest) => tools.map(({ name }) => name)
const LONG = 'words '.repeat(2_000)

describe('an app whose schemas are too large for a provider', () => {
  const many = Array.from({ length: 12 }, (_, n) => action(`get_page_${n}`, LONG))

  it('is called in text by a sub-agent whose parent calls natively', async () => {
    const model = new ScriptedModel(
      ask,
      says('<tool_call>get_page_3[Tea]</tool_call>'),
      says('Seen.'),
      says('Done.'),
    )
    const { session, called } = await start(model, many)
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(called).toEqual(['get_page_3 {"title":"Tea"}'])
    expect(names(model.request(0))).toContain('delegate_to_integrations_agent')
    expect(model.request(1).tools).toEqual([])
    expect(model.request(1).system).toContain('get_page_3[title]')
    expect(names(model.request(3))).toEqual(names(model.request(0)))
  })

  it.each([
    ['one whose schemas fit is called natively', 'A page.', {}, true],
    ['one that fits is called in text by a model that takes no tools', 'A page.', { tools: false }, false],
  ] as const)('%s', async (_what, described, abilities, isNative) => {
    const steps: readonly Step[] = isNative
      ? [ask, calls('get_page_0', { title: 'Tea' }), says('Seen.'), says('Done.')]
      : [
          says(
            '<tool_call>{"name": "delegate_to_integrations_agent", "arguments": {"toolkit": "pages", "prompt": "x"}}</tool_call>',
          ),
          says('<tool_call>get_page_0[Tea]</tool_call>'),
          says('Seen.'),
          says('Done.'),
        ]
    const model = ScriptedModel.with({ abilities }, ...steps)
    const { session, called } = await start(model, [action('get_page_0', described)])
    await session.send('go')
    expect(called).toEqual(['get_page_0 {"title":"Tea"}'])
    expect(model.request(1).tools.length > 0).toBe(isNative)
  })
})

describe('a huge result of an app', () => {
  const answer = `${Array.from({ length: 5_000 }, (_, n) => `<p>Row ${n}</p>`).join('')}<p>Ada: 7</p>`

  it('stays out of the sub-agent’s conversation, which can ask about it', async () => {
    const artifacts = createMemoryArtifacts()
    const reader = ScriptedModel.with({ id: 'reader/model' }, says('Ada: 7'))
    const model = new ScriptedModel(
      ask,
      calls('list', { title: 'all' }),
      ({ messages }) => {
        const id = /"id": "([^"]+)"/.exec(textOf(messages.at(-1)!))![1]!
        return calls('extract_from_result', { result_id: id, query: 'Which number has Ada?' })
      },
      says('Seven.'),
      says('Done.'),
    )
    const { session, events } = await start(model, [action('list')], {
      artifacts,
      ask: createAsker(reader),
      answer,
    })
    await session.send('go')
    expect(names(model.request(1)).slice(0, 3)).toEqual(['read_artifact', 'extract_from_result', 'list'])
    expect(textOf(reader.request(0).messages[0]!)).toContain('Row 4999\nAda: 7')
    expect(textOf(reader.request(0).messages[0]!)).not.toContain('<p>')
    expect(textOf(model.request(3).messages.at(-1)!)).toBe('<untrusted source="tool">\nAda: 7\n</untrusted>')
    for (const { messages } of [model.request(3)]) {
      for (const message of messages) expect(textOf(message).length).toBeLessThan(17_000)
    }
    const nested = events.of('usage-update').filter(({ model: id }) => id === 'reader/model')
    expect(nested).toHaveLength(1)
    expect(nested[0]!.runId).toBe(events.of('turn-start')[1]!.runId)
  })

  it('is read in parts without an asker, and cut without an artifact store', async () => {
    const offered = async (more: Partial<IntegrationsOptions>) => {
      const model = new ScriptedModel(ask, says('ok'), says('Done.'))
      const { session } = await start(model, [action('list')], more)
      await session.send('go')
      return names(model.request(1)).filter((name) => name !== 'list' && name !== 'call_tool')
    }
    expect(await offered({ artifacts: createMemoryArtifacts() })).toEqual(['read_artifact'])
    expect(await offered({ ask: createAsker(new ScriptedModel()) })).toEqual([])
  })

  it('cannot be hidden by an app action with the name of a result tool', async () => {
    const artifacts = createMemoryArtifacts()
    const model = new ScriptedModel(ask, calls('read_artifact', { id: 'x' }), says('ok'), says('Done.'))
    const { session, called } = await start(model, [action('read_artifact')], { artifacts })
    await session.send('go')
    expect(called).toEqual([])
    expect(textOf(model.request(2).messages.at(-1)!)).toContain('There is no stored result "x"')
  })
})
