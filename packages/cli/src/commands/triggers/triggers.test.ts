import { createHmac } from 'node:crypto'
import { says, ScriptedModel } from '@capstan/harness/testing'
import type { TriggerRow, TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { startRunningServer } from '../../testing/running-server.ts'
import { createHome } from '../../testing/stored-thread.ts'

const commandIn =
  (home: string) =>
  async (...args: readonly string[]) => {
    const [stdin, ...words] = args[0]?.startsWith('<') ? [args[0].slice(1), ...args.slice(1)] : ['', ...args]
    const shell = createFakeShell({ env: { CAPSTAN_HOME: home, NO_COLOR: '1' }, stdin })
    const code = await main(['triggers', ...words], shell)
    return { code, out: shell.out(), err: shell.err() }
  }

const ADD = ['sources', 'add', 'github', '--name', 'Our house', '--rule', 'Only from my boss']
const read = ({ out }: { readonly out: string }): unknown => JSON.parse(out)

it('capstan triggers sources adds, shows, changes, switches and removes sources in a data folder', async () => {
  const triggers = commandIn(await createHome())
  expect((await triggers('sources')).out).toMatch(
    /^There are no sources here\.\nAdd one: capstan triggers sources add generic/,
  )
  expect((await triggers()).out).toBe('There are no such triggers here.\n')
  const { source, secret } = read(await triggers(...ADD, '--usd', '0.5', '--json')) as TriggerSourceCreated
  expect(source).toMatchObject({ kind: 'github', rule: 'Only from my boss', budget: { usd: 0.5, runs: 20 } })
  expect(secret).toMatch(/^whsec_/)
  const list = await triggers('sources', 'list')
  expect(list.out).toContain(source.id)
  const shown = await triggers('sources', 'show', source.id)
  expect(shown.out).toContain('Rule: Only from my boss')
  expect(shown.out + list.out).not.toContain(secret)
  const edited = read(
    await triggers(
      'sources',
      'edit',
      source.id,
      '--runs',
      '3',
      '--quiet',
      '22:00-07:00',
      '--zone',
      'UTC',
      '--json',
    ),
  ) as TriggerSource
  expect(edited).toMatchObject({
    budget: { usd: 0.5, runs: 3 },
    quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' },
  })
  expect((read(await triggers('sources', 'off', source.id, '--json')) as TriggerSource).isOff).toBe(true)
  expect((read(await triggers('sources', 'on', source.id, '--json')) as TriggerSource).isOff).toBe(false)
  const replaced = await triggers(
    '<a-secret-of-the-service',
    'sources',
    'secret',
    source.id,
    '--secret-stdin',
  )
  expect(replaced.out).not.toContain('a-secret-of-the-service')
  await triggers('off')
  expect((await triggers('sources')).out).toContain('All of them are off')
  expect((await triggers('sources', 'remove', source.id)).out).toBe('Removed.\n')
  expect(await triggers('sources', 'show', source.id)).toMatchObject({ code: 1 })
})

it('capstan triggers lists what came in to a running server, with the reason, and says what was wrong', async () => {
  const decision = { action: 'drop', target_agent: 'orchestrator', prompt: '', reason: 'Stars need nobody.' }
  const model = new ScriptedModel(...Array.from({ length: 5 }, () => says(JSON.stringify(decision))))
  const { home, end } = await startRunningServer({ model })
  const triggers = commandIn(home)
  const added = await triggers(...ADD)
  const [, address] = /On this machine: (\S+)/.exec(added.out)!
  const [, secret] = /shown only now: (\S+)/.exec(added.out)!
  const body = '{"action":"created","repository":{"full_name":"ada/\\u001b[31mhouse"}}'
  const signature = createHmac('sha256', secret!).update(body).digest('hex')
  const headers = { 'x-github-event': 'star', 'x-hub-signature-256': `sha256=${signature}` }
  expect((await fetch(address!, { method: 'POST', body, headers })).status).toBe(202)
  const row = await vi.waitFor(async () => {
    const found = read(await triggers('list', '--decision', 'drop', '--json')) as TriggerRow
    expect(found.status).toBe('done')
    return found
  })
  expect((await triggers()).out).toMatch(/dropped .*Our house .*star created in ada/)
  const shown = await triggers('show', row.id)
  expect(shown.out).toContain('Decision: dropped: Stars need nobody.')
  expect(shown.out).not.toContain('\u001b')
  expect((await triggers('list', '--decision', 'react')).out).toBe('There are no such triggers here.\n')
  expect(
    (await triggers('wrong', row.id, '--right', 'acknowledge', '--note', 'I count them.')).out,
  ).toContain('Saved.')
  await end()
  // The same without the server.
  expect((await triggers('show', row.id)).out).toContain('You said: acknowledge: I count them.')
  await triggers('wrong', row.id, '--right', 'react')
  expect((await triggers('show', row.id)).out).toContain('You said: react')
  expect((await triggers('sources')).out).toContain('Our house')
})

it('capstan triggers refuses what is unclear with words that help, and changes nothing', async () => {
  const triggers = commandIn(await createHome())
  expect(await triggers('sources', 'add', 'fax', '--name', 'a')).toMatchObject({
    code: 2,
    err: expect.stringContaining('generic, github') as string,
  })
  expect(await triggers('sources', 'add', 'github')).toMatchObject({ code: 2 })
  expect(await triggers(...ADD, '--quiet', 'at night')).toMatchObject({ code: 2 })
  expect(await triggers(...ADD, '--quiet', '25:00-07:00')).toMatchObject({ code: 1 })
  expect(await triggers(...ADD, '--runs', '1.5')).toMatchObject({ code: 2 })
  expect(await triggers(...ADD, '--secret-stdin')).toMatchObject({ code: 2 })
  expect(await triggers('wrong', 'trigger_1')).toMatchObject({ code: 2 })
  expect(await triggers('wrong', 'trigger_1', '--right', 'shout')).toMatchObject({ code: 2 })
  expect(await triggers('wrong', 'trigger_1', '--right', 'drop')).toMatchObject({ code: 1 })
  expect(await triggers('show', 'trigger_1')).toMatchObject({ code: 1 })
  expect(await triggers('explode')).toMatchObject({ code: 2 })
  expect(await triggers('sources', 'edit', 'source_1')).toMatchObject({ code: 2 })
  expect((await triggers('sources')).out).toMatch(
    /^There are no sources here\.\nAdd one: capstan triggers sources add generic/,
  )
})
