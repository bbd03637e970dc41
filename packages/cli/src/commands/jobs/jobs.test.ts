import { openEmbeddedStore } from '@capstan/stores'
import { expect, it } from 'vitest'
import { main } from '../../main.ts'
import { USER_ID } from '../../store-access/open-store.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome } from '../../testing/stored-thread.ts'

async function withJob() {
  const home = await createHome()
  const store = openEmbeddedStore({ folder: home })
  await store.jobs.add({
    id: 'job_1',
    userId: USER_ID,
    kind: 'sync',
    key: 'notes',
    title: 'Sync \u001B[31mNotes',
    body: { app: 'notes' },
    nextAt: 4_000_000_000_000,
    createdAt: 1,
  })
  await store.close()
  return async (...args: readonly string[]) => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['jobs', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
}

it('capstan jobs lists jobs by kind and state, and shows one', async () => {
  const jobs = await withJob()
  const listed = await jobs('list', '--kind', 'sync', '--status', 'waiting')
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('job_1') as string })
  expect(listed.out).not.toContain('\u001B[31m')
  expect((await jobs('list', '--kind', 'schedule')).out).toBe('There are no jobs here.\n')
  expect(JSON.parse((await jobs('show', 'job_1', '--json')).out)).toMatchObject({ body: { app: 'notes' } })
  expect((await jobs('show', 'job_1')).out).toContain('sync, waiting')
})

it('capstan jobs pauses, resumes, runs and cancels a job', async () => {
  const jobs = await withJob()
  const statusAfter = async (action: string): Promise<unknown> =>
    (JSON.parse((await jobs(action, 'job_1', '--json')).out) as { status: string }).status
  expect(await statusAfter('pause')).toBe('paused')
  expect(await statusAfter('resume')).toBe('waiting')
  expect(await statusAfter('run')).toBe('waiting')
  expect(await statusAfter('cancel')).toBe('cancelled')
  expect(await jobs('run', 'job_1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('cancelled') as string,
  })
})

it('capstan jobs refuses unknown jobs, actions and states', async () => {
  const jobs = await withJob()
  expect(await jobs('pause', 'other')).toMatchObject({ code: 1 })
  expect(await jobs('show', 'other')).toMatchObject({ code: 1 })
  expect(await jobs('delete', 'job_1')).toMatchObject({ code: 2 })
  expect(await jobs('list', '--status', 'asleep')).toMatchObject({ code: 2 })
  expect(await jobs('pause')).toMatchObject({ code: 2 })
})
