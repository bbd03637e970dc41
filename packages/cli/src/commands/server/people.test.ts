import { openAuth } from '@capstan/server'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { createHome } from '../../testing/stored-thread.ts'

async function capstan(home: string, ...args: readonly string[]) {
  const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home } })
  const code = await main(args, shell)
  return { code, out: shell.out(), err: shell.err() }
}

describe('capstan logins', () => {
  it('lists the logins of the owner and ends one or all of them', async () => {
    const home = await createHome()
    const auth = openAuth({ folder: home })
    const cookies: string[] = []
    for (let count = 0; count < 3; count++)
      cookies.push((await auth.redeemTicket(auth.mintTicket(), 'Firefox on Linux'))!)
    const listed = (await capstan(home, 'logins', 'list', '--json')).out.trim().split('\n')
    expect(listed).toHaveLength(3)
    const [first] = listed.map((line) => JSON.parse(line) as { id: string; device: string })
    expect(first).toMatchObject({ device: 'Firefox on Linux' })
    expect((await capstan(home, 'logins')).out).toContain('Firefox on Linux')
    expect((await capstan(home, 'logins', 'revoke', first!.id)).out).toBe('1 login was ended.\n')
    expect((await capstan(home, 'logins', 'revoke', first!.id)).code).toBe(1)
    expect((await capstan(home, 'logins', 'revoke', '--all', '--json')).code).toBe(0)
    const after = openAuth({ folder: home })
    expect(cookies.map((cookie) => after.identify({ cookie }))).toEqual([undefined, undefined, undefined])
    expect((await capstan(home, 'logins', 'revoke')).code).toBe(2)
  })
})

describe('capstan members', () => {
  it('adds, lists and removes a member', async () => {
    const home = await createHome()
    openAuth({ folder: home })
    expect((await capstan(home, 'members', 'list')).out).toBe('There are no members.\n')
    expect((await capstan(home, 'members', 'add', 'grace')).out).toContain('grace was added.')
    expect((await capstan(home, 'members', 'add', 'grace')).err).toContain('is a member already')
    expect((await capstan(home, 'members', 'add', 'Not A Name')).code).toBe(2)
    expect(JSON.parse((await capstan(home, 'members', '--json')).out)).toMatchObject({
      userId: 'grace',
      logins: 0,
    })
    expect((await capstan(home, 'members', 'remove', 'grace')).out).toBe('grace was removed.\n')
    expect((await capstan(home, 'members', 'remove', 'grace')).code).toBe(1)
  })
})
