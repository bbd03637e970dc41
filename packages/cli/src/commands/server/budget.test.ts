import { says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { startRunningServer } from '../../testing/running-server.ts'
import { createHome } from '../../testing/stored-thread.ts'

async function start() {
  const { home } = await startRunningServer({ model: new ScriptedModel(says('One.'), says('Two.')) })
  return async (...args: readonly string[]) => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: home } })
    const code = await main(args, shell)
    return { code, out: shell.out(), err: shell.err() }
  }
}

describe('capstan budget', () => {
  it('shows what was spent, sets a limit that stops turns, and raises it again', async () => {
    const capstan = await start()
    await capstan('run', 'Hello')
    expect((await capstan('budget')).out).toMatch(/Today, tokens +\d+ tokens used, no limit/)
    expect((await capstan('budget', 'set', '--tokens-day', '1')).out).toContain(
      'turns are stopped. Raise it: capstan budget set --tokens-day',
    )
    const stopped = await capstan('run', '--json', 'Hello')
    expect(stopped.code).toBe(1)
    expect(JSON.parse(stopped.out)).toMatchObject({ failure: { class: 'quota_exhausted' } })
    expect((await capstan('budget', 'set', '--tokens-day', 'none')).code).toBe(0)
    expect(await capstan('run', 'Hello')).toMatchObject({ code: 0, out: 'Two.\n' })
  })

  it('leaves the limits alone that are not named', async () => {
    const capstan = await start()
    await capstan('budget', 'set', '--usd-day', '5', '--usd-month', '50')
    const { out } = await capstan('budget', 'set', '--tokens-month', '1000', '--usd-day', 'none', '--json')
    expect(JSON.parse(out)).toMatchObject({ limits: { usdPerMonth: 50, tokensPerMonth: 1000 } })
    expect(JSON.parse(out)).not.toHaveProperty('limits.usdPerDay')
  })

  it('sets the limits of a member', async () => {
    const capstan = await start()
    await capstan('members', 'add', 'ada')
    const { out } = await capstan('budget', 'set', '--user', 'ada', '--tokens-day', '7', '--json')
    expect(JSON.parse(out)).toMatchObject({ userId: 'ada', limits: { tokensPerDay: 7, usdPerDay: 5 } })
    expect((await capstan('budget', '--user', 'bob')).code).toBe(1)
  })

  it.each([
    [['set', '--usd-day', '-1']],
    [['set', '--tokens-day', '1.5']],
    [['set']],
    [['raise']],
    [['--usd-day', '5']],
  ])('refuses %j', async (args) => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: await createHome() } })
    expect(await main(['budget', ...args], shell)).toBe(2)
  })

  it('says what to do without a server, also in JSON', async () => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: await createHome() } })
    expect(await main(['budget', '--json'], shell)).toBe(1)
    expect(shell.err()).toContain('What to do next: Start it with "capstan serve"')
    expect(JSON.parse(shell.out())).toMatchObject({
      type: 'error',
      exitCode: 1,
      failure: { class: 'service_unavailable', recoverable: true },
    })
  })
})
