import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { KEY, usePostgres } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome, storeThread, withOwnStore } from '../../testing/stored-thread.ts'

const postgres = usePostgres()

async function capstan(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const shell = createFakeShell({ env: { CAPSTAN_SECRET_KEY: KEY, ...env } })
  const code = await main(args, shell)
  return { code, out: shell.out(), err: shell.err() }
}

async function createFilledHome(): Promise<string> {
  const home = await createHome()
  await withOwnStore(home, (store) => storeThread(store))
  return home
}

describe('capstan migrate', () => {
  it('moves a folder, prints a checksum for each kind, and the folder is not served by mistake', async () => {
    const home = await createFilledHome()
    const url = await postgres.createUrl()
    const tried = await capstan(['migrate', '--home', home, '--dry-run'], { DATABASE_URL: url })
    expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was written.') as string })
    const moved = await capstan(['migrate', '--home', home, '--to', url])
    expect(moved).toMatchObject({
      code: 0,
      out: expect.stringMatching(/threads +\d+ +[\da-f]{16} +the same/) as string,
    })
    expect(moved.err).toMatch(/copied threads: 1\n/)
    const served = await capstan(['serve', '--home', home])
    expect(served).toMatchObject({
      code: 1,
      err: expect.stringContaining('were moved to postgres://127.0.0.1') as string,
    })
    await expect(withOwnStore(home, async () => {})).rejects.toThrow('were moved to')
    expect(await capstan(['threads', '--home', home])).toMatchObject({ code: 0 })
    const there = await capstan(['threads', '--json'], {
      DATABASE_URL: url,
      CAPSTAN_HOME: await createHome(),
    })
    expect(there.out.trim().split('\n')).toHaveLength(1)
    expect((await capstan(['audit', 'verify'], { DATABASE_URL: url })).out).toContain(
      'The audit log is intact',
    )
  })

  it('says that there is nothing to move, and creates nothing', async () => {
    const home = await createHome()
    for (const folder of [home, join(home, 'none')]) {
      const { code, err } = await capstan(['migrate', '--home', folder, '--to', await postgres.createUrl()])
      expect({ code, err }).toEqual({ code: 1, err: `capstan: There is no data in ${folder} to move.\n` })
    }
    expect(await readdir(home)).toEqual([])
  })

  it('goes on with a moved folder when told to', async () => {
    const home = await createFilledHome()
    await capstan(['migrate', '--home', home, '--to', await postgres.createUrl()])
    const busy = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void busy.close())
    await new Promise((resolve) => busy.once('listening', resolve))
    const { port } = busy.address() as AddressInfo
    const { err } = await capstan(['serve', '--home', home, '--moved-anyway', '--port', String(port)])
    expect(err).toContain(String(port))
    await withOwnStore(home, async () => {})
  })

  it('prints one line of JSON, and says why a database is refused', async () => {
    const home = await createFilledHome()
    const url = await postgres.createUrl()
    const { code, out } = await capstan(['migrate', '--home', home, '--to', url, '--json'])
    expect({ code, report: JSON.parse(out) as unknown }).toMatchObject({ code: 0, report: { isMoved: true } })
    const again = await capstan(['migrate', '--home', home, '--to', url])
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringContaining('The database is not empty') as string,
    })
  })

  it('never prints a password', async () => {
    const home = await createFilledHome()
    for (const to of ['postgres://ann:hunter2@127.0.0.1:1/x', 'mysql://ann:hunter2@host/x', 'hunter2']) {
      const results = [
        await capstan(['migrate', '--home', home, '--to', to]),
        await capstan(['db', 'check', '--url', to]),
      ]
      for (const { code, out, err } of results) {
        expect(code).toBeGreaterThan(0)
        expect(out + err).not.toContain('hunter2')
      }
    }
  })

  it('needs a database', async () => {
    expect(await capstan(['migrate'])).toMatchObject({ code: 2 })
  })
})

describe('capstan db', () => {
  it('checks a database', async () => {
    const url = await postgres.createUrl()
    const { code, out } = await capstan(['db', 'check', '--url', url])
    expect(out).toMatch(/encoding +UTF8/)
    // The server of the tests does not flush.
    expect(code).toBe(1)
    const lines = (await capstan(['db', 'check', '--json'], { DATABASE_URL: url })).out.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toContain('durability')
  })

  it('prints how to back it up', async () => {
    const { code, out } = await capstan(['db', 'backup-hint'], { CAPSTAN_ARTIFACTS: 's3://bucket' })
    expect(code).toBe(0)
    expect(out).toContain('pg_dump --format=custom --file=capstan.dump')
    expect(out).toContain('aws s3 sync')
    const named = await capstan(['db', 'backup-hint', '--schema', 'team'])
    expect(named.out).toContain('--schema=team --schema=team_dbos')
    expect((await capstan(['db', 'backup-hint', '--schema', 'a; b'])).code).toBe(2)
  })
})
