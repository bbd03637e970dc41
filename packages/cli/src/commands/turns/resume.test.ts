import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { withOwnStore, createHome } from '../../testing/stored-thread.ts'
import { USER_ID } from '../../store-access/open-store.ts'

async function createChats() {
  const home = await createHome()
  const capstan = async (args: readonly string[], stdin = '') => {
    const shell = createFakeShell({ stdin, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = await main(args, shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  const pending = () =>
    withOwnStore(home, async (store) =>
      store.approvals.list({ userId: USER_ID, pending: true, now: Date.now() }),
    )
  return { home, capstan, pending }
}

const statuses = async (capstan: Awaited<ReturnType<typeof createChats>>['capstan']) =>
  (await capstan(['runs', '--json'])).out
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { status: string }).status]))

describe('a chat that is kept', () => {
  it('asks with the exact arguments, and goes on at a yes', async () => {
    const { capstan } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: buy flour\nOkay.\nFind my notes\n')
    expect(code).toBe(0)
    expect(out).toContain('Save note (save_note) needs your yes. It would run with exactly this:')
    expect(out).toContain('    {\n      "title": "buy flour",\n      "text": "buy flour"\n    }\n')
    expect(out.match(/✓ Save note/g)).toHaveLength(1)
    expect(out).toContain('It is in your notes now.')
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('does not do it at a no, and does not ask again after always', async () => {
    const { capstan } = await createChats()
    const said = 'Save a note: one\nno\nSave a note: two\nalways\nSave a note: three\n'
    const { out } = await capstan(['chat', '--demo'], said)
    expect(out).toContain('Why: You said no to this.')
    expect(out.match(/needs your yes/g)).toHaveLength(2)
    expect(out.match(/✓ Save note/g)).toHaveLength(2)
  })

  it('takes any other words for a new turn, and ends the one that waits', async () => {
    const { capstan, pending } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: one\nWhat time is it?\n')
    expect(code).toBe(0)
    expect(out).toContain('■ Stopped')
    expect(out).toContain('✓ Look at the clock')
    expect(await statuses(capstan)).toEqual(['done', 'aborted'])
    expect(await pending()).toEqual([])
  })

  it('leaves a turn waiting when nobody answers, and says where to answer', async () => {
    const { capstan, pending } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: one\n')
    expect(code).toBe(3)
    expect(out).toContain('It goes on waiting for your answer: see "capstan approvals".')
    expect(await pending()).toMatchObject([{ tool: 'save_note' }])
  })

  it('keeps nothing without a store, not even a question', async () => {
    const { capstan } = await createChats()
    const { code, out } = await capstan(['chat', '--demo', '--no-store'], 'Save a note: one\n')
    expect(code).toBe(3)
    expect(out).toContain('Nobody answered, so it was not done.')
    expect((await capstan(['threads'])).out).toContain('No threads yet.')
  })

  it('answers approvals without a store, too', async () => {
    const { capstan } = await createChats()
    const { out } = await capstan(['chat', '--demo', '--no-store'], 'Save a note: one\ny\n')
    expect(out).toContain('It is in your notes now.')
  })

  it('goes on with a thread, and shows where it was', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'What time is it?\n')
    const { code, out } = await capstan(['chat', '--demo', '--thread', 'thread_'], 'Find my notes\n')
    expect(code).toBe(0)
    expect(out.indexOf('> Find my notes')).toBeGreaterThan(out.indexOf('> What time is it?'))
    expect((await capstan(['threads', '--json'])).out.trim().split('\n')).toHaveLength(1)
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('asks again in a thread that waits for an answer', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const { code, out } = await capstan(['chat', '--demo', '--thread', 'thread_'], 'yes\n')
    expect(code).toBe(0)
    expect(out.indexOf('needs your yes')).toBeGreaterThan(out.indexOf('> Save a note: one'))
    expect(out).toContain('> Save a note: one')
    expect(out).toContain('It is in your notes now.')
    expect(await statuses(capstan)).toEqual(['done'])
  })

  it('does not go on with a thread there is not', async () => {
    const { capstan } = await createChats()
    expect(await capstan(['chat', '--demo', '--thread', 'nobody'])).toMatchObject({
      code: 1,
      err: 'capstan: There is no thread "nobody". See "capstan threads".\n',
    })
    expect((await capstan(['chat', '--demo', '--thread', 'x', '--new'])).code).toBe(2)
  })

  it('says in one sentence that somebody else owns the data folder', async () => {
    const { home, capstan } = await createChats()
    await capstan(['chat', '--demo'], 'What time is it?\n')
    await withOwnStore(home, async () => {
      const { code, err } = await capstan(['chat', '--demo'])
      expect(code).toBe(1)
      expect(err).toMatch(/^capstan: Another process .*--no-store\.\n$/)
      expect((await capstan(['threads'])).out).toContain('What time is it?')
      expect((await capstan(['threads', 'rename', 'thread_', 'x'])).err).toMatch(/^capstan: Another process/)
    })
  })
})

describe('capstan resume', () => {
  it('has nothing to do when every turn has ended', async () => {
    const { capstan } = await createChats()
    expect(await capstan(['resume'])).toEqual({
      code: 0,
      out: 'Nothing to take up: every turn has ended.\n',
      err: '',
    })
  })

  it('says what still waits and for what, and needs no model for that', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const { code, out } = await capstan(['resume'])
    expect(code).toBe(3)
    expect(out).toMatch(/^Waits: Save a note: one \(run_/)
    expect(out).toContain('"title": "one"')
    expect(out).toContain('capstan approvals approve <id>')
  })

  it('takes up turns whose approval was answered meanwhile, and shows them', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    await capstan(['chat', '--demo'], 'Save a note: two\n')
    await capstan(['chat', '--demo'], 'Save a note: three\n')
    const ids = (await capstan(['approvals', '--json'])).out
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id: string }).id]))
    expect((await capstan(['approvals', 'approve', ids[0] ?? ''])).code).toBe(0)
    expect((await capstan(['approvals', 'deny', ids[1] ?? ''])).code).toBe(0)
    const { code, out } = await capstan(['resume', '--demo'])
    expect(code).toBe(3)
    expect(out.indexOf('> Save a note: two')).toBeGreaterThan(out.indexOf('It is in your notes now.'))
    expect(out.indexOf('It is not in your notes.')).toBeGreaterThan(out.indexOf('> Save a note: two'))
    expect(out).toContain('Waits: Save a note: three')
    expect(await statuses(capstan)).toEqual(['waiting', 'done', 'done'])
  })

  it('leaves everything as it is at Ctrl-C, for the next time', async () => {
    const { home, capstan, pending } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const [approval] = await pending()
    await capstan(['approvals', 'approve', approval?.id ?? ''])
    const shell = createFakeShell({ terminal: true, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = main(['resume', '--demo'], shell)
    await shell.waitForOutput('I will write that down.')
    shell.interrupt()
    expect(await code).toBe(130)
    expect(await statuses(capstan)).toEqual(['running'])
    expect((await capstan(['resume', '--demo'])).code).toBe(0)
    expect(await statuses(capstan)).toEqual(['done'])
  })

  it('is done by a chat as well, beside its own turns', async () => {
    const { capstan, pending } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const [approval] = await pending()
    await capstan(['approvals', 'approve', approval?.id ?? ''])
    const { code, out } = await capstan(['chat', '--demo'], 'What time is it?\n')
    expect(code).toBe(0)
    expect(out).not.toContain('Save note')
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('tells a script what became of each', async () => {
    const { capstan, pending } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const [approval] = await pending()
    await capstan(['approvals', 'approve', approval?.id ?? ''])
    const { code, out } = await capstan(['resume', '--demo', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'done', outcome: { text: 'It is in your notes now.' } })
  })
})
