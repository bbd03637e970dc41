import { describe, expect, it } from 'vitest'
import { main } from '../../main.ts'
import type { FakeShellOptions } from '../../testing/fake-shell.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { withOwnStore, createHome, storeThread } from '../../testing/stored-thread.ts'

async function withThread() {
  const home = await createHome()
  await withOwnStore(home, storeThread)
  const capstan = async (args: readonly string[], options: FakeShellOptions = { stdin: '' }) => {
    const shell = createFakeShell({ ...options, env: { NO_COLOR: '1' } })
    const code = await main([...args, '--home', home], shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  return { capstan }
}

describe('capstan explain', () => {
  it('prints what was asked, what happened, what it cost, why it stopped and what broke the cache', async () => {
    const { capstan } = await withThread()
    const { code, out } = await capstan(['explain', 'run_aaaaaaaaa-1'])
    expect(code).toBe(0)
    const positions = [
      'What was asked\n  What should I pack?',
      'What happened',
      '→ Step 1',
      '✗ Read calendar (read_calendar): tomorrow',
      'What to do next: Reconnect the account.',
      'What it cost\n  about $0.0042, 1 model call, 1,200 tokens in, 80 out',
      'Why it stopped\n  It answered.',
      'What broke the prompt cache\n  Nothing:',
      'What failed\n  bad_credentials, once (read_calendar)',
    ].map((text) => out.indexOf(text))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  })

  it('prints what a waiting run waits for and how to answer', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['explain', 'aaaaaaaaa-2'])
    expect(out).toContain('What it waits for\n  It waits for your yes or no to "Save note" (approval_save).')
    expect(out).toContain('Answer with "capstan approvals approve approval_save" or "deny".')
  })

  it('fits the width of the terminal', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['explain', 'run_aaaaaaaaa-1'], { terminal: true })
    for (const line of out.split('\n').slice(1)) expect(line.length).toBeLessThan(80)
  })

  it('prints one object with --json', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['explain', 'run_aaaaaaaaa-1', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      threadId: 'thread_aaaaaaaaa-1',
      asked: 'What should I pack?',
      status: 'done',
      prefixBreaks: [],
      failures: [{ class: 'bad_credentials', count: 1 }],
    })
  })

  it('lists the candidates for an ambiguous id', async () => {
    const { capstan } = await withThread()
    const { code, out, err } = await capstan(['explain', 'run_a'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^capstan: 2 runs start with "run_a"\. Give more of the id:\n/)
    expect(err).toContain('  run_aaaaaaaaa-1  What should I pack?\n')
  })

  it('answers an unknown run with one sentence, and needs an id', async () => {
    const { capstan } = await withThread()
    expect(await capstan(['explain', 'run_x'])).toEqual({
      code: 1,
      out: '',
      err: 'capstan: There is no run "run_x".\nWhat to do next: "capstan runs" lists those that there are.\n',
    })
    expect((await capstan(['explain'])).code).toBe(2)
  })
})

describe('capstan runs', () => {
  it('lists runs, newest first, within 80 columns', async () => {
    const { capstan } = await withThread()
    const { out } = await capstan(['runs'], { terminal: true })
    const [titles, first, second] = out.split('\n')
    expect(titles).toMatch(/^RUN +STATUS +BEGAN +ASKED +TOOK +COST$/)
    expect(first).toMatch(/^run_aaaaaaaaa-2 +waiting .*Save that as a note\.$/)
    expect(second).toMatch(/^run_aaaaaaaaa-1 +done .*What should I pack\? +1\.5 s +~\$0\.0042$/)
    for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
  })

  it('filters runs by thread and by status', async () => {
    const { capstan } = await withThread()
    const ids = async (...args: string[]) => {
      const { out } = await capstan(['runs', '--json', ...args])
      return out.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id: string }).id]))
    }
    expect(await ids('--status', 'waiting')).toEqual(['run_aaaaaaaaa-2'])
    expect(await ids('--thread', 'thread_a', '--limit', '1')).toEqual(['run_aaaaaaaaa-2'])
    expect(await ids('--status', 'failed')).toEqual([])
    expect((await capstan(['runs', '--status', 'failed'])).out).toBe('No run matches.\n')
    expect((await capstan(['runs', '--status', 'gone'])).code).toBe(2)
    expect((await capstan(['runs', '--thread', 'gone'])).code).toBe(1)
  })

  it('prints how to start when there are no runs', async () => {
    const shell = createFakeShell({ stdin: '' })
    expect(await main(['runs', '--home', await createHome()], shell)).toBe(0)
    expect(shell.out()).toBe('There are no runs yet. Start one with "capstan chat --demo".\n')
    const withModel = createFakeShell({ stdin: '', env: { CAPSTAN_MODEL: 'ollama/llama4' } })
    expect(await main(['runs', '--home', await createHome()], withModel)).toBe(0)
    expect(withModel.out()).toBe('There are no runs yet. Start one with "capstan chat".\n')
  })
})
