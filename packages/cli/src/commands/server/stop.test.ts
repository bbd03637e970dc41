import { expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome, storeThread, withOwnStore } from '../../testing/stored-thread.ts'

async function openHome() {
  const home = await createHome()
  await withOwnStore(home, (store) => storeThread(store, {}))
  return async (...args: string[]) => {
    const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    return { code: await main(args, shell), out: shell.out(), err: shell.err() }
  }
}

it('capstan stop --all holds turns without a server, and capstan release lets them start again', async () => {
  const capstan = await openHome()
  expect(await capstan('stop', '--all', '--json')).toMatchObject({
    code: 0,
    out: '{"held":true,"server":false}\n',
  })
  for (const command of [
    ['chat', '--demo'],
    ['resume', '--demo'],
  ]) {
    const refused = await capstan(...command)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('capstan release')
  }
  expect(await capstan('release')).toMatchObject({ code: 0 })
  expect((await capstan('resume', '--demo')).err).not.toContain('capstan release')
  const lines = (await capstan('audit', 'export')).out.trim().split('\n')
  const actions = lines.map((line) => JSON.parse(line) as { userId: string; action: string })
  expect(actions.filter(({ action }) => action === 'hold' || action === 'release')).toMatchObject([
    { userId: 'local', action: 'hold' },
    { userId: 'local', action: 'release' },
  ])
  expect((await capstan('audit', 'verify')).code).toBe(0)
})

it('capstan stop without --all explains what to write', async () => {
  const capstan = await openHome()
  expect(await capstan('stop')).toMatchObject({ code: 2, err: expect.stringContaining('capstan stop --all') })
})
