import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome, storeThread, withOwnStore } from '../../testing/stored-thread.ts'

async function openHome() {
  const home = await createHome()
  await withOwnStore(home, async (store) => {
    await storeThread(store, {})
    await store.audit.record({ at: 5, userId: 'ann', action: 'hold' })
  })
  const capstan = async (...args: string[]) => {
    const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    return { code: await main(['audit', ...args], shell), out: shell.out(), err: shell.err() }
  }
  return { home, capstan }
}

describe('capstan audit', () => {
  it('verifies a log that nobody changed', async () => {
    const { capstan } = await openHome()
    const { code, out } = await capstan('verify')
    expect(out).toMatch(/^The audit log is intact: \d+ rows were checked\.\n$/)
    expect(code).toBe(0)
  })

  it('names a row that another program changed, and exits with 1', async () => {
    const { home, capstan } = await openHome()
    const db = new DatabaseSync(join(home, 'capstan.db'))
    const { id } = db.prepare('SELECT max(id) AS id FROM journal').get() as { id: number }
    db.prepare(`UPDATE journal SET body = replace(body, 'ann', 'bob') WHERE id = ?`).run(id)
    db.close()
    const { code, out } = await capstan('verify')
    expect(out).toContain(`Row ${id}`)
    expect(out).toContain('(hold) was changed or moved.')
    expect(code).toBe(1)
    expect(JSON.parse((await capstan('verify', '--json')).out)).toMatchObject({
      ok: false,
      problems: [{ no: id, kind: 'edited' }],
    })
  })

  it('exports lines as JSON, filtered by user', async () => {
    const { capstan } = await openHome()
    const all = (await capstan('export')).out.trim().split('\n')
    expect(all.length).toBeGreaterThan(1)
    const own = (await capstan('export', '--user', 'ann')).out.trim().split('\n')
    expect(own.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ action: 'hold', userId: 'ann' }),
    ])
    expect((await capstan('export', '--since', '2999-01-01')).out.trim()).toBe('')
  })

  it('refuses other words and times', async () => {
    const { capstan } = await openHome()
    expect((await capstan()).code).toBe(2)
    expect((await capstan('export', '--since', 'soon')).code).toBe(2)
  })
})
