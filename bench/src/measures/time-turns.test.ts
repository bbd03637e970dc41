import { expect, it } from 'vitest'
import type { Stage, Subject } from '../subject.ts'
import { subject as floor } from '../subjects/floor.ts'
import { timeTurns } from './time-turns.ts'

const ONE_TURN = { atLeastMs: 0, collectFirst: false }

function spoil(change: (stage: Stage) => Stage): Subject {
  return { open: (stage) => floor.open(change(stage)) }
}

it.each(['loop10', 'loop200', 'stream', 'parallel8'] as const)(
  'timeTurns measures a bare loop in %s without problems',
  async (workload) => {
    const timed = await timeTurns(floor, { ...ONE_TURN, workload })
    expect(timed.problems).toEqual([])
    expect(timed.turns).toBe(1)
    expect(timed.usPerIteration).toBeGreaterThan(0)
  },
)

it('timeTurns reports a subject that answers a call without running the tool', async () => {
  const subject = spoil((stage) => ({
    ...stage,
    tools: stage.tools.map((tool) => ({ ...tool, run: () => 'made up' })),
  }))
  const { problems } = await timeTurns(subject, { ...ONE_TURN, workload: 'loop10' })
  expect(problems).toEqual([
    expect.stringMatching(/^tool executions: \[\] instead of/),
    expect.stringMatching(/^tool results the model saw: /),
  ])
})

it('timeTurns reports a subject that runs a call twice', async () => {
  const subject = spoil((stage) => ({
    ...stage,
    tools: stage.tools.map((tool) => ({
      ...tool,
      run(args) {
        void tool.run(args)
        return tool.run(args)
      },
    })),
  }))
  const { problems } = await timeTurns(subject, { ...ONE_TURN, workload: 'loop10' })
  expect(problems).toEqual([expect.stringMatching(/^tool executions: \[0,0,1,1/)])
})

it('timeTurns reports a subject that drops pieces of text', async () => {
  let count = 0
  const subject = spoil(({ onDelta, ...stage }) => ({
    ...stage,
    onDelta: (delta) => (count++ % 2 === 0 ? onDelta?.(delta) : undefined),
  }))
  const { problems } = await timeTurns(subject, { ...ONE_TURN, workload: 'stream' })
  expect(problems).toContain('pieces of text surfaced: 251 instead of 501')
})

it('timeTurns lets a subject with joinsDeltas join pieces of text, but not lose any', async () => {
  const joining = (lose: string): Subject => ({
    joinsDeltas: true,
    async open({ onDelta, ...stage }) {
      let received = ''
      const conversation = await floor.open({ ...stage, onDelta: (delta) => void (received += delta) })
      return {
        ...conversation,
        async send(text) {
          const answer = await conversation.send(text)
          for (const line of received.replace(lose, '').split(/(?=word\d+-0 |All )/)) onDelta?.(line)
          return answer
        },
      }
    },
  })
  const timed = async (lose: string) => timeTurns(joining(lose), { ...ONE_TURN, workload: 'stream' })
  expect((await timed('')).problems).toEqual([])
  expect((await timed('word0-1 ')).problems).toContainEqual(expect.stringMatching(/^text surfaced: /))
})

it('timeTurns reports a subject that stops before the end', async () => {
  const subject: Subject = {
    open: () => ({ send: () => Promise.resolve('All values were read.'), addTool: () => {} }),
  }
  const { problems } = await timeTurns(subject, { ...ONE_TURN, workload: 'loop10' })
  expect(problems).toContain('model calls: 0 instead of 11')
})
