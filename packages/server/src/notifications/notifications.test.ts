import type { Step } from '@capstan/harness/testing'
import { fails, says, ScriptedModel } from '@capstan/harness/testing'
import { expect, it, vi } from 'vitest'
import { createFolder, openWorld } from '../sessions/assistant.fixture.ts'

const DAILY = { prompt: 'Note the news.', when: 'every day at 8', zone: 'Europe/Berlin' }
const PATIENT = { timeout: 20_000, interval: 50 }
const decision = (action: string): Step =>
  says(JSON.stringify({ action, target_agent: 'orchestrator', prompt: 'Look at it.', reason: 'A leak.' }))

async function open(step: Step, folder: string) {
  const world = await openWorld({
    model: new ScriptedModel(...Array.from({ length: 50 }, () => step)),
    folder,
  })
  const { notifications } = world.assistant
  return {
    ...world.assistant,
    list: () => notifications.list('local'),
    until: (count: number) =>
      vi.waitFor(async () => {
        const told = await notifications.list('local')
        expect(told).toHaveLength(count)
        return told
      }, PATIENT),
  }
}

it('an escalated trigger is told once with its thread, until it was seen, also after a restart', async () => {
  const folder = await createFolder()
  const before = await open((request) => {
    if (request.tools.length > 0) return says('The tap leaks.')
    return decision(JSON.stringify(request.messages).includes('leak') ? 'escalate' : 'react')
  }, folder)
  const { source } = await before.triggers.sources.add('local', { kind: 'generic', name: 'House' })
  const send = (label: string) =>
    before.triggers.receive('local', source.id, { externalId: label, label, payload: '{}' })
  await send('A new colour')
  await send('A \u202eleak in the kitchen')
  await send('A \u202eleak in the kitchen')
  await vi.waitFor(async () => {
    const { triggers } = (await before.triggers.activity.list('local', { limit: 10 }))!
    expect(triggers.map(({ status }) => status)).toEqual(['done', 'done'])
  })
  const [told, ...more] = await before.until(1)
  expect(more).toEqual([])
  expect(told).toMatchObject({ kind: 'trigger-escalated', name: 'A leak in the kitchen' })
  expect(await before.threadsOf('local').get(told!.threadId!)).toBeDefined()
  expect(await before.notifications.list('eve')).toEqual([])
  await before.notifications.see('eve', [told!.id])
  expect(await before.list()).toHaveLength(1)
  await before.notifications.see('local', [told!.id, 'unknown'])
  expect(await before.list()).toEqual([])
  await before.stop({ graceMs: 0 })
  const after = await open(decision('drop'), folder)
  expect(await after.list()).toEqual([])
})

it('a failed run of a schedule is told, one that went well is not, and a reset forgets both', async () => {
  const steps = [says('All quiet.'), fails(401), fails(401), fails(401)]
  let at = 0
  const world = await open(() => steps[Math.min(at++, steps.length - 1)]!, await createFolder())
  const { id, title } = await world.schedules.add('local', DAILY)
  const run = async (outcome: string): Promise<void> => {
    await world.schedules.runNow('local', id)
    await vi.waitFor(
      async () => expect((await world.schedules.get('local', id))!.runs[0]!.outcome).toBe(outcome),
      PATIENT,
    )
  }
  await run('done')
  await run('failed')
  const [told] = await world.until(1)
  expect(told).toMatchObject({ kind: 'schedule-failed', name: title })
  expect(told!.threadId).toBeDefined()
  await world.reset('local')
  expect(await world.list()).toEqual([])
}, 60_000)
