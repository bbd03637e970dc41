import type { RunRow, ScheduleRow } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import type { TestNode } from '../../cluster/fixtures/nodes.fixture.ts'
import { useNodes } from '../../cluster/fixtures/nodes.fixture.ts'

const nodes = useNodes()
const WAIT = { timeout: 50_000, interval: 100 }
const MINUTE = 60_000

/** A schedule that was due ten minutes ago, as if no server had been running, and is due again in a day. */
function toDueJob(id: string) {
  const since = Date.now() - 20 * MINUTE
  const due = new Date(Date.now() - 10 * MINUTE)
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
  const body = {
    prompt: 'notes 0',
    when: cron,
    cron,
    zone: 'UTC',
    misfire: 'once',
    limits: { usd: 1, minutes: 5 },
    since,
  }
  return { id, userId: 'local', kind: 'schedule', key: id, title: id, body, nextAt: since }
}

const firedTimes = async (node: TestNode): Promise<readonly (readonly [string, string])[]> =>
  (await node.ask<readonly ScheduleRow[]>('schedules')).flatMap(({ id, runs }) =>
    runs.filter(({ outcome }) => outcome !== 'missed').map(({ outcome }) => [id, outcome] as const),
  )

it('two nodes fire each schedule once', async () => {
  const [a, b] = await Promise.all([nodes.start('a'), nodes.start('b')])
  const ids = Array.from({ length: 12 }, (_, n) => `schedule_${n}`)
  await Promise.all(ids.map((id, n) => (n % 2 ? a : b).ask('addJob', toDueJob(id))))
  await vi.waitFor(async () => {
    const fired = await firedTimes(a)
    expect(fired).toHaveLength(ids.length)
    expect(new Map(fired)).toEqual(new Map(ids.map((id) => [id, 'done'])))
  }, WAIT)
  const runs = await b.ask<readonly RunRow[]>('allRuns')
  expect(runs).toHaveLength(12)
  expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(12)
}, 90_000)

it('a node that is killed when it fires a schedule leaves one turn', async () => {
  const before = (await (await nodes.start('a', { NODE_ROLE: 'web' })).ask<readonly RunRow[]>('allRuns'))
    .length
  const first = await nodes.start('b', { NODE_DIES: '1', NODE_PAUSE_MS: '0' })
  const ended = new Promise((resolve) => first.process.once('exit', resolve))
  await first.ask('addJob', toDueJob('schedule_killed')).catch(() => {})
  await ended
  const second = await nodes.start('c')
  await vi.waitFor(async () => {
    const fired = (await firedTimes(second)).filter(([id]) => id === 'schedule_killed')
    expect(fired).toEqual([['schedule_killed', 'done']])
  }, WAIT)
  expect(await second.ask<readonly RunRow[]>('allRuns')).toHaveLength(before + 1)
}, 90_000)
