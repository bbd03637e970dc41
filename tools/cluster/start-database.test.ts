import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { openPostgresStore } from '@capstan/stores/postgres'
import { openClusterSecrets } from './cluster-secrets.ts'
import { startDatabase } from './start-database.ts'

const THREAD = 'thread_1' as ThreadId

async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'capstan-cluster-test-'))
  await chmod(home, 0o711)
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

describe('the database of a cluster', () => {
  it('keeps what was stored when it is started again, and asks for the password', async () => {
    const home = await createHome()
    const { secretKey, databasePassword } = openClusterSecrets(home)
    expect(openClusterSecrets(home)).toEqual({ secretKey, databasePassword })
    const env = { CAPSTAN_SECRET_KEY: secretKey }

    const first = await startDatabase(join(home, 'postgres'), databasePassword)
    const before = await openPostgresStore({ url: first.url, env })
    await before.threads.create({ id: THREAD, userId: 'ann', at: 1 })
    await before.close()
    const stranger = first.url.replace(databasePassword, 'guess')
    await expect(openPostgresStore({ url: stranger, env })).rejects.toThrow()
    await first.stop()

    const second = await startDatabase(join(home, 'postgres'), databasePassword)
    const after = await openPostgresStore({ url: second.url, env })
    expect(await after.threads.get(THREAD)).toMatchObject({ userId: 'ann' })
    await after.close()
    await second.stop()
  })

  it('is stopped also when PostgreSQL was killed before', async () => {
    const home = await createHome()
    const { databasePassword } = openClusterSecrets(home)
    const folder = join(home, 'postgres')
    const database = await startDatabase(folder, databasePassword)
    const pid = Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 })
    await database.stop()
  })

  it('says where it could not start', async () => {
    const home = await createHome()
    openClusterSecrets(home)
    const file = join(home, 'cluster-secrets.json')
    await expect(startDatabase(join(file, 'postgres'), 'secret')).rejects.toThrow(file)
  })
})
