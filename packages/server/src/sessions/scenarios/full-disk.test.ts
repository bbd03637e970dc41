import { execFileSync } from 'node:child_process'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openAuth } from '../../auth/auth.ts'
import { startServer } from '../../serve.ts'
import { createFolder, openWorld } from '../assistant.fixture.ts'

const runShell = (command: string, ...args: string[]) =>
  execFileSync('sh', ['-c', command, 'sh', ...args], { stdio: 'ignore' })

/** A disk of its own, where the machine lets us have one. */
function mountSmallDisk(folder: string, size: string): boolean {
  try {
    runShell('mount -t tmpfs -o "size=$2" tmpfs "$1"', folder, size)
  } catch {
    return false
  }
  onTestFinished(() => void runShell('umount --lazy "$1"', folder))
  return true
}

it('health and the page say at once that the disk is full, and that there is room again', async ({
  skip,
}) => {
  const folder = await createFolder()
  if (!mountSmallDisk(folder, '24m')) skip()
  const world = await openWorld({ folder })
  const { assistant } = world
  const server = await startServer({ assistant, auth: openAuth({ folder }), port: 0 })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const health = async () => (await (await fetch(`${server.url}/api/health`)).json()) as object
  expect(await health()).toMatchObject({ ok: true })
  expect(assistant.readSettings('local').diskFull).toBeUndefined()

  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = await statfs(folder)
  await writeFile(ballast, Buffer.alloc(bavail * bsize - 8192))
  const threads = assistant.threadsOf('local')
  const big = 'x'.repeat(200_000)
  await expect(threads.create({ title: big })).rejects.toMatchObject({ kind: 'full' })
  expect(assistant.readSettings('local').diskFull).toBe(true)
  await world.findUpdate(({ type }) => type === 'settings-change')
  expect(await health()).toMatchObject({ ok: false, problem: 'disk-full' })

  await rm(ballast)
  await expect.poll(() => assistant.readSettings('local').diskFull, { timeout: 20_000 }).toBeUndefined()
  expect(await health()).toMatchObject({ ok: true })
}, 40_000)
