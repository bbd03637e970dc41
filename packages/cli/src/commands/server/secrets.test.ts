import { expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome, storeThread, withOwnStore } from '../../testing/stored-thread.ts'

it('capstan secrets stores, lists and removes a secret without showing its value', async () => {
  const home = await createHome()
  await withOwnStore(home, (store) => storeThread(store, {}))
  const capstan = async (args: readonly string[], stdin = '') => {
    const shell = createFakeShell({ stdin, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    return { code: await main(['secrets', ...args], shell), out: shell.out(), err: shell.err() }
  }
  expect((await capstan(['list'])).out).toBe('No secret is stored.\n')
  const stored = await capstan(['set', 'service', '--host', 'api.example.com'], 'a-long-enough-value\n')
  expect(stored).toMatchObject({ code: 0, out: expect.stringContaining('{{secret:service}}') })
  const listed = await capstan(['list', '--json'])
  expect(JSON.parse(listed.out)).toMatchObject({ name: 'service', hosts: ['api.example.com'] })
  expect(stored.out + listed.out).not.toContain('a-long-enough-value')
  expect((await capstan(['set', 'service'], 'a-long-enough-value')).code).toBe(2)
  expect((await capstan(['set', 'other', '--host', 'not a host'], 'a-long-enough-value')).code).not.toBe(0)
  expect((await capstan(['remove', 'service'])).code).toBe(0)
  expect((await capstan(['remove', 'service'])).code).toBe(1)
})
