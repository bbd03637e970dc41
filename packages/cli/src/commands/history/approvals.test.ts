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
    expect(await withOwnStore(home, async (store) => store.approvals.listAlwaysAllowed(USER_ID))).toEqual([
      'save_note',
    ])
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
    [['approve', 'nobody'], 1, 'There is no approval "nobody". See "capstan approvals list".'],
    [['approve'], 2, 'Give the id of one approval; "capstan approvals list" shows them.'],
    [['deny', 'x', '--always'], 2, '--always is only for approve: a call is denied one at a time.'],
    [['list', 'x'], 2, '"list" takes no words. See "capstan approvals --help".'],
    [['burn'], 2, 'There is no action "burn". See "capstan approvals --help".'],
  ])('answers wrong arguments %j with one sentence', async (args, code, sentence) => {
    const { capstan } = await withApproval()
    expect(await capstan(args)).toEqual({ code, out: '', err: `capstan: ${sentence}\n` })
  })
})
