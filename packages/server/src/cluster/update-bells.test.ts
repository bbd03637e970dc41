import type { Store, StoredApproval } from '@capstan/harness/stores'
import type { Bell } from '@capstan/stores/postgres'
import { expect, it } from 'vitest'
import type { Update } from '../sessions/assistant.ts'
import { shareUpdates } from './update-bells.ts'

it('a question is shown to the user of its thread only, whoever rings', async () => {
  const listeners = new Map<string, (id: string) => void>()
  const bell = {
    on: (topic: string, listener: (id: string) => void) => listeners.set(topic, listener),
    onGap: () => {},
  } as unknown as Bell
  const store = {
    approvals: { get: async (id: string) => ({ id, threadId: 'thread_1' }) as StoredApproval },
    threads: { get: async () => ({ userId: 'ann' }) },
  } as unknown as Store
  const published: Update[] = []
  const told = Promise.withResolvers<void>()
  shareUpdates({
    bell,
    store,
    isHeld: () => false,
    onThreadChange: async () => {},
    publish: (update) => (published.push(update), told.resolve()),
    onProblem: (error) => told.reject(error),
  })
  listeners.get('approval-change')!('approval_1 bob')
  listeners.get('approval-change')!('approval_2 ann')
  await told.promise
  expect(published).toMatchObject([{ userId: 'ann', approval: { id: 'approval_2' } }])
})
