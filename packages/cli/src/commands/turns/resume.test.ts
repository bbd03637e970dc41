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

describe('a stored chat', () => {
  it('asks for approval with the exact arguments, and runs the call at yes', async () => {
    const { capstan } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: buy flour\nOkay.\nFind my notes\n')
    expect(code).toBe(0)
    expect(out).toContain('Save note (save_note) needs your yes. It would run with exactly this:')
    expect(out).toContain('    {\n      "title": "buy flour",\n      "text": "buy flour"\n    }\n')
    expect(out.match(/✓ Save note/g)).toHaveLength(1)
    expect(out).toContain('It is in your notes now.')
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('does not run the call at no, and does not ask again after always', async () => {
    const { capstan } = await createChats()
    const input = 'Save a note: one\nno\nSave a note: two\nalways\nSave a note: three\n'
    const { out } = await capstan(['chat', '--demo'], input)
    expect(out).toContain('Why: You said no to this.')
    expect(out.match(/needs your yes/g)).toHaveLength(2)
    expect(out.match(/✓ Save note/g)).toHaveLength(2)
  })

  it('stops the waiting turn at any other text, which starts a new turn', async () => {
    const { capstan, pending } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: one\nWhat time is it?\n')
    expect(code).toBe(0)
    expect(out).toContain('■ Stopped')
    expect(out).toContain('✓ Look at the clock')
    expect(await statuses(capstan)).toEqual(['done', 'aborted'])
    expect(await pending()).toEqual([])
  })

  it('leaves the turn waiting at the end of input, and prints where to answer', async () => {
    const { capstan, pending } = await createChats()
    const { code, out } = await capstan(['chat', '--demo'], 'Save a note: one\n')
    expect(code).toBe(3)
    expect(out).toContain('The turn keeps waiting for your answer: see "capstan approvals".')
    expect(await pending()).toMatchObject([{ tool: 'save_note' }])
  })

  it('stores nothing with --no-store, not even an approval', async () => {
    const { capstan } = await createChats()
    const { code, out } = await capstan(['chat', '--demo', '--no-store'], 'Save a note: one\n')
    expect(code).toBe(3)
    expect(out).toContain('The call was not answered, so it did not run.')
    expect((await capstan(['threads'])).out).toContain('No threads yet.')
  })

  it('takes the answer to an approval with --no-store', async () => {
    const { capstan } = await createChats()
    const { out } = await capstan(['chat', '--demo', '--no-store'], 'Save a note: one\ny\n')
    expect(out).toContain('It is in your notes now.')
  })

  it('opens a thread at --thread, and shows its last turns', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'What time is it?\n')
    const { code, out } = await capstan(['chat', '--demo', '--thread', 'thread_'], 'Find my notes\n')
    expect(code).toBe(0)
    expect(out.indexOf('> Find my notes')).toBeGreaterThan(out.indexOf('> What time is it?'))
    expect((await capstan(['threads', '--json'])).out.trim().split('\n')).toHaveLength(1)
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('shows the approval again in a thread that waits for one', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const { code, out } = await capstan(['chat', '--demo', '--thread', 'thread_'], 'yes\n')
    expect(code).toBe(0)
    expect(out.indexOf('needs your yes')).toBeGreaterThan(out.indexOf('> Save a note: one'))
    expect(out).toContain('> Save a note: one')
    expect(out).toContain('It is in your notes now.')
    expect(await statuses(capstan)).toEqual(['done'])
  })

  it('refuses an unknown thread', async () => {
    const { capstan } = await createChats()
    expect(await capstan(['chat', '--demo', '--thread', 'nobody'])).toMatchObject({
      code: 1,
      err: 'capstan: There is no thread "nobody".\nWhat to do next: "capstan threads" lists those that there are.\n',
    })
    expect((await capstan(['chat', '--demo', '--thread', 'x', '--new'])).code).toBe(2)
  })

  it('prints one sentence when another process owns the data folder', async () => {
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
  it('prints that there is nothing to resume when every turn has ended', async () => {
    const { capstan } = await createChats()
    expect(await capstan(['resume'])).toEqual({
      code: 0,
      out: 'There is nothing to resume: every turn has ended.\n',
      err: '',
    })
  })

  it('lists the waiting turns and their approvals without a model', async () => {
    const { capstan } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const { code, out } = await capstan(['resume'])
    expect(code).toBe(3)
    expect(out).toMatch(/^Waiting: Save a note: one \(run_/)
    expect(out).toContain('"title": "one"')
    expect(out).toContain('capstan approvals approve <id>')
  })

  it('resumes turns whose approval was answered, and shows them', async () => {
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
    expect(out).toContain('Waiting: Save a note: three')
    expect(await statuses(capstan)).toEqual(['waiting', 'done', 'done'])
  })

  it('stops at Ctrl-C, and the next resume finishes the turn', async () => {
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

  it('also happens at the start of a chat, beside its own turns', async () => {
    const { capstan, pending } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const [approval] = await pending()
    await capstan(['approvals', 'approve', approval?.id ?? ''])
    const { code, out } = await capstan(['chat', '--demo'], 'What time is it?\n')
    expect(code).toBe(0)
    expect(out).not.toContain('Save note')
    expect(await statuses(capstan)).toEqual(['done', 'done'])
  })

  it('prints each turn as JSON with --json', async () => {
    const { capstan, pending } = await createChats()
    await capstan(['chat', '--demo'], 'Save a note: one\n')
    const [approval] = await pending()
    await capstan(['approvals', 'approve', approval?.id ?? ''])
    const { code, out } = await capstan(['resume', '--demo', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'done', outcome: { text: 'It is in your notes now.' } })
  })
})
