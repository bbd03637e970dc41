import { says, ScriptedModel } from '@capstan/harness/testing'
import { expect, it, vi } from 'vitest'
import { openWorld } from '../sessions/assistant.fixture.ts'
import { DEFAULT_LIMITS } from '../settings/member-limits.ts'

const REQUEST = { origin: 'schedule', title: 'Morning', prompt: 'Look.' } as const

/** The result of a request that a member may or may not make. */
async function run({ assistant }: Awaited<ReturnType<typeof openWorld>>, messageId: string, userId = 'ada') {
  return assistant.unattended.run({ ...REQUEST, userId, messageId })
}

it('a member starts no turn by a schedule that they may not start by a message', async () => {
  const world = await openWorld({ model: new ScriptedModel(says('Hi.')) })
  const { limits } = world.assistant
  await limits.change('ada', { ...DEFAULT_LIMITS, messagesPerMinute: 0 })
  await expect(run(world, 'm1')).rejects.toThrow('switched messages off')
  await limits.change('ada', { ...DEFAULT_LIMITS, threads: 0 })
  await expect(run(world, 'm2')).rejects.toThrow('conversations')
  await limits.change('ada', { ...DEFAULT_LIMITS, storedMegabytes: 0 })
  await expect(run(world, 'm3')).rejects.toThrow('space')
  expect(await world.assistant.threadsOf('ada').list()).toEqual([])
  expect((await run(world, 'm4', 'local')).type).toBe('started')
})

it('a member has no more turns at once than they may, also when many are due together', async () => {
  const stalls = { parts: [], ending: 'stall' } as const
  const world = await openWorld({ model: new ScriptedModel(stalls, stalls, stalls) })
  await world.assistant.limits.change('ada', { ...DEFAULT_LIMITS, turnsAtOnce: 2 })
  const started = await Promise.all(['m1', 'm2', 'm3', 'm4'].map((id) => run(world, id)))
  expect(started.map(({ type }) => type)).toEqual(['started', 'started', 'later', 'later'])
  const [first] = started
  if (first?.type === 'started') await world.assistant.actionsOf('ada').stop(first.threadId)
  await vi.waitFor(async () => expect((await run(world, 'm4')).type).toBe('started'))
})

it('says why a schedule of a member does not run', async () => {
  const world = await openWorld({ model: new ScriptedModel(says('Hi.')) })
  const { limits, schedules, jobs } = world.assistant
  await limits.change('ada', { ...DEFAULT_LIMITS, messagesPerMinute: 0 })
  const { id } = await schedules.add('ada', { prompt: 'Look.', when: 'every hour' })
  await schedules.runNow('ada', id)
  await vi.waitFor(async () =>
    expect(await jobs.get('ada', id)).toMatchObject({
      status: 'waiting',
      lastFailure: { cause: expect.stringContaining('switched messages off') as string },
    }),
  )
  expect(await world.assistant.threadsOf('ada').list()).toEqual([])
})
