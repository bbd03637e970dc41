import { join } from 'node:path'
import { openAuth } from '@capstan/server'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome } from '../../testing/stored-thread.ts'

async function login(home: string, ...args: readonly string[]) {
  const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home } })
  const code = await main(['login', ...args], shell)
  return { code, out: shell.out(), err: shell.err() }
}

describe('capstan login --token', () => {
  it('prints the install token, also when no server is running', async () => {
    const home = await createHome()
    const { token } = openAuth({ folder: home })
    expect(await login(home, '--token')).toEqual({ code: 0, out: `${token}\n`, err: '' })
    expect(JSON.parse((await login(home, '--token', '--json')).out)).toEqual({ token })
  })

  it('creates nothing when there is no data folder', async () => {
    const home = join(await createHome(), 'gone')
    const { code, out, err } = await login(home, '--token')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('There is no data in')
    expect((await login(home, '--token')).code).toBe(1)
  })
})
