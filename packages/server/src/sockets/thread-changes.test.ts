import type { ThreadId, ThreadSummary } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createThreadChanges } from './thread-changes.ts'

const thread = (id: string, title: string): ThreadSummary => ({
  id: id as ThreadId,
  userId: 'ada',
  title,
  createdAt: 0,
  updatedAt: 0,
})

it('thread changes are sent once per user and moment, without removed threads', async () => {
  const received: [string, string[]][] = []
  const { promise: isAnnounced, resolve } = Promise.withResolvers<void>()
  const changes = createThreadChanges((userId, threads) => {
    received.push([userId, threads.map(({ title }) => title)])
    if (received.length === 2) resolve()
  })
  changes.add('ada', thread('1', 'first'))
  changes.add('ada', thread('2', 'gone soon'))
  changes.add('bob', thread('3', 'his'))
  changes.add('eve', thread('4', 'gone, too'))
  changes.add('ada', thread('1', 'newest'))
  changes.forget('ada', '2' as ThreadId)
  changes.forget('eve', '4' as ThreadId)
  await isAnnounced
  expect(received).toEqual([
    ['ada', ['newest']],
    ['bob', ['his']],
  ])
})
