import { expect, it } from 'vitest'
import { main } from '../main.ts'
import { createFakeShell } from '../testing/fake-shell.ts'

it('names the check of the database when it cannot be reached, not the disk', async () => {
  const shell = createFakeShell({
    env: {
      CAPSTAN_SECRET_KEY: 'a1'.repeat(32),
      DATABASE_URL: 'postgres://capstan:harbour@127.0.0.1:9/capstan',
    },
  })
  expect(await main(['runs'], shell)).toBe(1)
  expect(shell.err()).toContain('"capstan db check"')
  expect(shell.err()).not.toMatch(/disk|next request|harbour/)
})

it('names the key file that is not there', async () => {
  const shell = createFakeShell({
    env: { CAPSTAN_KEY_FILE: '/nowhere/capstan.key', DATABASE_URL: 'postgres://capstan@127.0.0.1:9/capstan' },
  })
  expect(await main(['runs'], shell)).toBe(1)
  expect(shell.err()).toContain('/nowhere/capstan.key')
})
