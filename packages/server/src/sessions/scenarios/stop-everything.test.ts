import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HeldError } from '@capstan/harness'
import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import { expect, it } from 'vitest'
import { createFolder, openWorld } from '../assistant.fixture.ts'

const OWNER = { by: 'local', isForEverybody: true }

/** A tool that runs until its turn is stopped. */
const waitTool = () =>
  stubTool(
    'wait',
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  )

it('stopping everything ends running turns of every user, survives a restart, and is in the audit log', async () => {
  const folder = await createFolder()
  const model = new ScriptedModel(calls('wait'), calls('wait'))
  const first = await openWorld({ folder, model, tools: [waitTool()] })
  const { assistant } = first
  for (const userId of ['local', 'ann']) {
    const { id } = await assistant.threadsOf(userId).create()
    await (await assistant.threadsOf(userId).open(id)).submit('Wait.')
  }
  await first.findEvent('tool-start', ({ threadId }) => threadId !== undefined)
  await assistant.hold(OWNER)
  const ends = first.updates.flatMap((update) =>
    update.type === 'turn-event' && update.event.type === 'turn-end' ? [update.event.outcome.type] : [],
  )
  expect(ends).toEqual(['aborted', 'aborted'])
  expect(assistant.readSettings('ann').held).toMatchObject({ scope: 'everybody' })
  await expect(assistant.threadsOf('ann').create()).rejects.toThrow(HeldError)
  await assistant.stop({ graceMs: 0 })

  const second = await openWorld({ folder, model: new ScriptedModel(says('Here again.')) })
  await expect(second.assistant.threadsOf('local').create()).rejects.toThrow(HeldError)
  await second.assistant.release(OWNER)
  expect(second.assistant.readSettings('local').held).toBeUndefined()
  const { id } = await second.assistant.threadsOf('local').create()
  const session = await second.assistant.threadsOf('local').open(id)
  expect(await session.send('Hello?')).toMatchObject({ type: 'done', text: 'Here again.' })
  const actions = (await second.assistant.store.audit.read()).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['hold', 'release']))
  expect(await second.assistant.store.audit.verify()).toMatchObject({ ok: true })
})

it('a file of the hold that cannot be read holds everybody', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'hold.json'), '{"users":')
  const { assistant } = await openWorld({ folder, model: new ScriptedModel() })
  await expect(assistant.threadsOf('local').create()).rejects.toThrow(HeldError)
  await assistant.release(OWNER)
  await assistant.threadsOf('local').create()
})

it('a switch of the safety mode reaches a turn that is running, and is in the audit log', async () => {
  const model = new ScriptedModel(calls('look'), calls('save'), says('Done.'))
  const world = await openWorld({
    model,
    mode: 'full',
    tools: [
      stubTool('look', () => world.assistant.changeSettings('local', { safetyMode: 'read-only' })),
      stubTool('save', () => expect.unreachable(), { effect: 'write' }),
    ],
  })
  const threads = world.assistant.threadsOf('local')
  const session = await threads.open((await threads.create()).id)
  await session.send('Save it.')
  const end = await world.findEvent('tool-end', ({ tool }) => tool === 'save')
  expect(end).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
  expect(await world.assistant.store.audit.read()).toContainEqual(
    expect.objectContaining({
      action: 'setting-change',
      subject: 'safetyMode',
      facts: { from: 'full', to: 'read-only' },
    }),
  )
})

it('an approval that is answered during a hold is shown as answered, and its turn goes on after the release', async () => {
  const folder = await createFolder()
  const tools = [stubTool('save', () => 'saved', { effect: 'write' })]
  const first = await openWorld({ folder, model: new ScriptedModel(calls('save')), tools })
  const threads = first.assistant.threadsOf('local')
  const { id } = await threads.create()
  await (await threads.open(id)).submit('Save it.')
  const { approvalId } = await first.findEvent('approval-request')
  await first.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'waiting')
  await first.assistant.hold(OWNER)
  expect(await first.assistant.summarise('local', id)).toMatchObject({ activity: 'waiting' })
  expect(await threads.answer(approvalId, 'allow-once')).toBe('accepted')
  const held = { activity: 'held', answered: { [approvalId]: 'allow-once' } }
  expect(await first.assistant.summarise('local', id)).toMatchObject(held)
  await first.findUpdate((one) => one.type === 'thread-change' && one.thread.activity === 'held')
  await first.assistant.stop({ graceMs: 0 })

  const second = await openWorld({ folder, model: new ScriptedModel(says('Saved.')), tools })
  expect(await second.assistant.summarise('local', id)).toMatchObject(held)
  await second.assistant.release(OWNER)
  expect((await second.findEvent('turn-end')).outcome).toMatchObject({ type: 'done', text: 'Saved.' })
  expect(await second.assistant.summarise('local', id)).not.toHaveProperty('activity')
})
