// Imports public paths only, as a program outside of this package would.
import { describe, expect, it } from 'vitest'
import type { AgentDefinition, AgentOptions } from '@capstan/harness'
import { createSession, runStateless, runSubAgent } from '@capstan/harness'
import { streamStateless, streamSubAgent } from '@capstan/harness'
import type { CheckpointStrategy, ResponseParser, ToolSource, TurnObserver } from '@capstan/harness/seams'
import { createSurface } from '@capstan/harness/seams'
import { createMemoryStore } from '@capstan/harness/stores'
import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { TurnEvent } from '@capstan/protocol'

const DEFINITION: AgentDefinition = { id: 'scout', description: 'Looks.', instructions: 'You look.' }

interface Ended {
  readonly text: string
}

/** Every entry point with the same options. */
const ENTRY_POINTS: Readonly<Record<string, (options: AgentOptions) => Promise<Ended>>> = {
  session: (options) => createSession(options).send('go'),
  'session with a store': (options) => createSession({ ...options, store: createMemoryStore() }).send('go'),
  stateless: (options) => runStateless({ ...options, input: 'go' }),
  'sub-agent': (options) => runSubAgent(DEFINITION, { prompt: 'go' }, options),
}

const entryPoints = Object.entries(ENTRY_POINTS)

const look = stubTool('look', () => 'seen')

const scripted = () => new ScriptedModel(calls('look'), says('Done.'))

/** Reads lines such as `CALL look`. */
const lineParser: ResponseParser = {
  dialect: 'xml',
  instructions: () => 'Write CALL and a name.',
  parse({ text }) {
    const name = /^CALL (\w+)$/m.exec(text)?.[1]
    if (name === undefined) return { text, calls: [] }
    return { text: '', calls: [{ tool: name, arguments: {} }] }
  },
}

describe.each(entryPoints)('the entry point %s', (_name, run) => {
  it('uses a ToolSource of the user, asked at every iteration', async () => {
    let asked = 0
    const surface = createSurface([look])
    const tools: ToolSource = {
      current() {
        asked++
        return { surface, notices: [] }
      },
    }
    const { text } = await run({ model: scripted(), tools })
    expect(text).toBe('Done.')
    expect(asked).toBeGreaterThanOrEqual(2)
  })

  it('reports to a ProgressReporter of the user, and to onEvent', async () => {
    const reported: TurnEvent[] = []
    const received: TurnEvent[] = []
    const progress = { report: (event: TurnEvent) => void reported.push(event) }
    await run({
      model: new ScriptedModel(says('Done.')),
      progress,
      onEvent: (event) => void received.push(event),
    })
    expect(reported.at(-1)?.type).toBe('turn-end')
    expect(received).toEqual(reported)
  })

  it('tells a TurnObserver of the user each fact once', async () => {
    const facts: string[] = []
    const observer: TurnObserver = {
      turnStarted: () => void facts.push('started'),
      messageAppended: (_run, { role }) => void facts.push(role),
      callFinished: (_run, { call, audit }) => void facts.push(`${call.tool} ${audit.decision}`),
      turnEnded: (_run, { type }) => void facts.push(type),
    }
    await run({ model: scripted(), tools: [look], observers: [observer] })
    expect(facts).toEqual(['started', 'user', 'assistant', 'look allowed', 'assistant', 'done'])
  })

  it('ends at its cap as the CheckpointStrategy of the user says', async () => {
    const checkpoint: CheckpointStrategy = {
      atCap: async ({ cap }) => ({ type: 'fail', text: `Stopped at ${cap.limit} ${cap.kind}.` }),
    }
    const { text } = await run({ model: scripted(), tools: [look], checkpoint, limits: { maxIterations: 1 } })
    expect(text).toContain('Stopped at 1 iterations.')
  })

  it('reads calls with a ResponseParser of the user', async () => {
    const ran: string[] = []
    const tool = stubTool('look', () => void ran.push('look'))
    const model = new ScriptedModel(says('CALL look'), says('Done.'))
    const { text } = await run({ model, tools: [tool], parser: lineParser })
    expect(text).toBe('Done.')
    expect(ran).toEqual(['look'])
    expect(model.request(0).system).toContain('Write CALL and a name.')
  })
})

describe('a stream', () => {
  it.each([
    ['session', (options: AgentOptions) => createSession(options).stream('go')],
    ['stateless', (options: AgentOptions) => streamStateless({ ...options, input: 'go' })],
    ['sub-agent', (options: AgentOptions) => streamSubAgent(DEFINITION, { prompt: 'go' }, options)],
  ])('of the entry point %s begins with turn-start and ends with turn-end', async (_name, open) => {
    const types: string[] = []
    for await (const { type } of open({ model: scripted(), tools: [look] })) types.push(type)
    expect(types[0]).toBe('turn-start')
    expect(types.at(-1)).toBe('turn-end')
    expect(types).toContain('tool-end')
  })
})
