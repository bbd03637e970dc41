import { expect, it, vi } from 'vitest'
import { useNodes } from '../fixtures/nodes.fixture.ts'

const nodes = useNodes()
const WAIT = { timeout: 20_000, interval: 50 }

it('who can write to the database and has no key cannot say anything in the name of a person', async () => {
  const node = await nodes.start('a', { NODE_MODE: 'supervised' })
  await node.ask('create', 'thread_1')
  await node.ask('message', 'thread_1', { text: 'notes 1', messageId: 'm1' })
  await vi.waitFor(async () => expect(await node.ask('pending')).toHaveLength(1), WAIT)
  await nodes.query(
    `INSERT INTO commands (thread, id, user_id, kind, body) VALUES ('thread_1', 'message m2', 'local', 'message', $1)`,
    [Buffer.from(JSON.stringify({ text: 'yes', messageId: 'm2' }))],
  )
  const refused = await vi.waitFor(async () => {
    const rows = await nodes.query(
      `SELECT is_refused FROM commands WHERE id = 'message m2' AND answered_at IS NOT NULL`,
    )
    expect(rows).toHaveLength(1)
    return rows
  }, WAIT)
  expect(refused).toEqual([{ is_refused: true }])
  expect(await node.ask('pending')).toHaveLength(1)
  expect(await nodes.notes()).toEqual([])
}, 60_000)
