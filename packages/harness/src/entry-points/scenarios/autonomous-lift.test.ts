import type { Origin } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../testing/index.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { createSession } from '../session/session.ts'
import { agent, delegate } from './delegation.fixture.ts'

const tools = [stubTool('look', ({ n }: { n: number }) => `saw ${n}`)]
const looks = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, n) => calls('look', { n }))

describe('a run that works by itself', () => {
  it.each<[Origin, string, number]>([
    ['task', 'done', 31],
    ['schedule', 'done', 31],
    ['trigger', 'done', 31],
    ['web', 'capped', 10],
    ['cli', 'capped', 10],
    ['channel', 'capped', 10],
    ['unlabelled', 'capped', 10],
  ])('may go on for longer than one that a person watches: %s', async (origin, type, iterations) => {
    const model = new ScriptedModel(...looks(type === 'done' ? 30 : 10), says('All seen.'))
    const session = createSession({ model, tools, origin })
    expect(await session.send('look around')).toMatchObject({ type, iterations })
  })

  it('ends at 200 iterations', async () => {
    const model = new ScriptedModel(...looks(200), says('Not all seen.'))
    const session = createSession({ model, tools, origin: 'schedule', budget: { iterations: 1000 } })
    expect(await session.send('go')).toMatchObject({
      type: 'capped',
      cap: { kind: 'iterations', limit: 200 },
      iterations: 200,
    })
  })

  it('lets its sub-agents go on as well, within its budget', async () => {
    const events = recordEvents()
    const scout = agent('scout', { maxIterations: 2 })
    const model = new ScriptedModel(delegate('scout'), ...looks(20), says('Scouted.'), says('Done.'))
    const session = createSession({ model, tools, agents: [scout], origin: 'task', onEvent: events.onEvent })
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(events.of('tool-end').at(-1)).toMatchObject({ tool: 'delegate_to_scout', ok: true })

    const small = new ScriptedModel(...looks(5), says('Out of budget.'))
    const limited = createSession({ model: small, tools, origin: 'task', budget: { iterations: 5 } })
    expect(await limited.send('go')).toMatchObject({ type: 'capped', cap: { kind: 'iterations', limit: 5 } })
  })
})
