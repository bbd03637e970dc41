import { createThreads } from '@capstan/harness'
import { ScriptedModel, calls, says, stubTool } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import type { FakeShellOptions } from '../../testing/fake-shell.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { APPROVAL_ID, withOwnStore, createHome, storeThread } from '../../testing/stored-thread.ts'
import { USER_ID } from '../../store-access/open-store.ts'

async function withApproval(at?: number) {
  const home = await createHome()
  await withOwnStore(home, (store) => storeThread(store, at === undefined ? {} : { at }))
  const capstan = async (args: readonly string[], options: FakeShellOptions = { stdin: '' }) => {
    const shell = createFakeShell({ ...options, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['approvals', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  const decision = () =>
    withOwnStore(home, async (store) => (await store.approvals.get(APPROVAL_ID))?.decision)
  return { home, capstan, decision }
}

describe('capstan approvals', () => {
  it('lists waiting calls with their exact stored arguments', async () => {
    const { capstan } = await withApproval()
    for (const args of [[], ['list']]) {
      const { code, out } = await capstan(args, { terminal: true })
      expect(code).toBe(0)
      expect(out).toContain('? Save note (save_note)\n  approval_save\n  Requested ')
      expect(out).toContain(
        '    {\n      "title": "Packing",\n      "text": "Rain jacket\\u001b[2J"\n    }\n',
      )
      expect(out).toContain('capstan approvals approve <id>')
    }
  })

  it('lists approvals as JSON lines without their signature', async () => {
    const { capstan } = await withApproval()
    const row: unknown = JSON.parse((await capstan(['list', '--json'])).out)
    expect(row).toMatchObject({ id: APPROVAL_ID, tool: 'save_note', isIntact: true })
    expect(row).not.toHaveProperty('signature')
  })

  it('records an approval and prints how the turn resumes', async () => {
    const { capstan, decision } = await withApproval()
    const { code, out } = await capstan(['approve', 'approval_s'])
    expect(code).toBe(0)
    expect(out).toContain('"title": "Packing"')
    expect(out).toContain('Approved once.')
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'The turn resumes when "capstan chat" or "capstan resume" runs on this data folder.',
    )
    expect(await decision()).toBe('allow-once')
    expect((await capstan(['list'])).out).toBe('No call waits for an answer.\n')
    expect((await capstan(['list', '--all'])).out).toContain('approved once')
  })

  it('records an approval for all calls of a tool with --always', async () => {
    const { home, capstan, decision } = await withApproval()
    expect((await capstan(['approve', APPROVAL_ID, '--always'])).out).toContain('will not ask again')
    expect(await decision()).toBe('allow-always')
    expect(
      await withOwnStore(home, async (store) => store.approvals.listGrants(USER_ID, Date.now())),
    ).toMatchObject([{ tool: 'save_note', lifetime: 'always' }])
  })

  it('records a denial', async () => {
    const { capstan, decision } = await withApproval()
    const { out } = await capstan(['deny', APPROVAL_ID, '--json'])
    expect(JSON.parse(out)).toMatchObject({ receipt: 'accepted', id: APPROVAL_ID, decision: 'deny' })
    expect(await decision()).toBe('deny')
  })

  it('answers a second answer with the first decision', async () => {
    const { capstan, decision } = await withApproval()
    await capstan(['deny', APPROVAL_ID])
    const { code, out, err } = await capstan(['approve', APPROVAL_ID])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^capstan: approval_save was denied already .* ago; the first answer counts\.\n$/)
    expect(await decision()).toBe('deny')
    const again = await capstan(['approve', APPROVAL_ID, '--json'])
    expect(again.code).toBe(1)
    expect(JSON.parse(again.out)).toMatchObject({ receipt: 'already-answered', decision: 'deny' })
  })

  it('refuses an answer after the approval has expired', async () => {
    const { capstan, decision } = await withApproval(Date.now() - 8 * 86_400_000)
    expect(await capstan(['approve', APPROVAL_ID])).toEqual({
      code: 1,
      out: '',
      err: 'capstan: approval_save has expired, so it counts as denied.\n',
    })
    expect(await decision()).toBe('expired')
  })

  it.each([
    [
      ['approve', 'nobody'],
      1,
      'There is no approval "nobody".\nWhat to do next: "capstan approvals list" lists those that there are.',
    ],
    [['approve'], 2, 'Give the id of one approval; "capstan approvals list" shows them.'],
    [
      ['deny', 'x', '--always'],
      2,
      '--always, --for and --only are only for approve: a call is denied one at a time.',
    ],
    [['approve', 'x', '--for', 'ever'], 2, '--for is once, conversation, hour or always, not "ever".'],
    [
      ['approve', 'x', '--only', 'to=a'],
      2,
      '--only limits further calls: add --for conversation, hour or always.',
    ],
    [
      ['approve', 'x', '--always', '--only', 'to'],
      2,
      '--only is argument=pattern, such as --only "to=*@example.com", not "to".',
    ],
    [
      ['grants', 'revoke'],
      2,
      'Use "capstan approvals grants list" or "capstan approvals grants revoke <id>" with one id.',
    ],
    [['grants', 'revoke', 'x'], 1, 'There is no grant "x". See "capstan approvals grants list".'],
    [['list', 'x'], 2, '"list" takes no words. See "capstan approvals --help".'],
    [['burn'], 2, 'There is no action "burn". See "capstan approvals --help".'],
  ])('answers wrong arguments %j with one sentence', async (args, code, sentence) => {
    const { capstan } = await withApproval()
    expect(await capstan(args)).toEqual({ code, out: '', err: `capstan: ${sentence}\n` })
  })
})

const SECRET = 'hunter2-Correct!Horse9'

/** A parked turn that waits to send a mail with a password in it. */
async function withMail(effect: 'write' | 'admin' = 'write') {
  const home = await createHome()
  const model = new ScriptedModel(calls('send', { to: 'ada@example.com', password: SECRET }), says('Sent.'))
  const send = stubTool('send', () => 'sent', { effect, destinations: ['to'] })
  const id = await withOwnStore(home, async (store) => {
    const agent = { model, tools: [send], origin: 'cli', safety: { mode: 'supervised' } } as const
    const threads = createThreads({ store, userId: USER_ID, agent })
    const thread = await threads.create({ title: 'The mail' })
    await (await threads.open(thread.id)).submit('Send it.')
    await threads.idle()
    const [approval] = await threads.pendingApprovals()
    await threads.stop()
    return approval!.id
  })
  const capstan = async (...args: readonly string[]) => {
    const shell = createFakeShell({ stdin: '', env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(['approvals', ...args], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  return { capstan, id }
}

describe('capstan approvals with hidden values', () => {
  it('says what is hidden and shows it only when asked', async () => {
    const { capstan, id } = await withMail()
    const listed = (await capstan('list')).out
    expect(listed).toContain(`Hidden: password, ${SECRET.length} characters (it looks like a secret)`)
    expect(listed).not.toContain(SECRET)
    expect((await capstan('reveal', id)).out).toContain(`"password": "${SECRET}"`)
    expect(JSON.parse((await capstan('reveal', id, '--json')).out)).toEqual({
      id,
      arguments: { to: 'ada@example.com', password: SECRET },
    })
  })

  it('approves them only with --with-hidden, and reveals nothing after the answer', async () => {
    const { capstan, id } = await withMail()
    const refused = await capstan('approve', id)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`See "capstan approvals reveal ${id}", then approve it with --with-hidden.`)
    expect((await capstan('approve', id, '--with-hidden')).out).toContain('Approved once.')
    const late = await capstan('reveal', id)
    expect(late).toMatchObject({ code: 1, out: '' })
    expect(late.err).toContain('does not wait for an answer any more')
  })
})

describe('capstan approvals grants', () => {
  it('lists a grant in words, with its limit, and revokes it', async () => {
    const { capstan, id } = await withMail()
    expect((await capstan('list')).out).toContain('Limit 2: to: *@example.com')
    const given = ['--for', 'hour', '--only', 'to=*@example.com', '--with-hidden']
    expect((await capstan('approve', id, ...given)).out).toContain('For one hour it will not ask again.')
    const { out } = await capstan('grants', 'list')
    expect(out).toContain('This computer · send')
    expect(out).toContain('Only to to: *@example.com')
    expect(out).toMatch(/Until \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(out).toMatch(/Given on .* in the conversation "The mail"/)
    const row = JSON.parse((await capstan('grants', 'list', '--json')).out) as { readonly id: string }
    expect(row).toMatchObject({ tool: 'send', lifetime: 'hour', constraints: { to: ['*@example.com'] } })
    expect((await capstan('grants', 'revoke', row.id)).out).toBe('Revoked. send asks again.\n')
    expect((await capstan('grants')).out).toContain('There are no grants')
  })

  it('refuses a limit that does not fit the call, and the approval stays open', async () => {
    const { capstan, id } = await withMail()
    const wrong = await capstan('approve', id, '--always', '--with-hidden', '--only', 'to=*@evil.test')
    expect(wrong).toMatchObject({ code: 1, out: '' })
    expect(wrong.err).toContain('The constraints do not match this call itself.')
    expect((await capstan('list')).out).toContain(id)
  })

  it('refuses a longer yes for a call that administers', async () => {
    const { capstan, id } = await withMail('admin')
    expect((await capstan('approve', id, '--always', '--with-hidden')).err).toContain('allowed once only')
    expect((await capstan('approve', id, '--with-hidden')).code).toBe(0)
  })
})
