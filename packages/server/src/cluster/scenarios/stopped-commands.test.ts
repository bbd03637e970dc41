import { expect, it, vi } from 'vitest'
import { useNodes } from '../fixtures/nodes.fixture.ts'

const nodes = useNodes()
const WAIT = { timeout: 20_000, interval: 50 }

it('what waits for a worker is not done once the turns of its user were stopped', async () => {
  const web = await nodes.start('web', { NODE_ROLE: 'web' })
  await web.ask('create', 'thread_1')
  const sent = web.ask('message', 'thread_1', { text: 'notes 1', messageId: 'm1' })
  const refused = expect(sent).rejects.toThrow('stopped')
  await vi.waitFor(async () => expect(await nodes.query('SELECT FROM commands')).toHaveLength(1), WAIT)
  await web.ask('stopTurns')
  await refused
  expect(await nodes.query('SELECT FROM commands WHERE body IS NOT NULL')).toEqual([])
  await nodes.start('worker', { NODE_ROLE: 'worker' })
  await web.ask('message', 'thread_1', { text: 'notes 2', messageId: 'm2' })
  const runs = await vi.waitFor(async () => {
    const found = await web.ask<readonly { status: string }[]>('runs', 'thread_1')
    expect(found.every(({ status }) => status === 'done')).toBe(true)
    return found
  }, WAIT)
  expect(runs).toHaveLength(1)
  expect((await nodes.notes()).map((line) => line.split(' ')[1])).toEqual(['1', '2'])
}, 60_000)
