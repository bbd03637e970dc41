import { describe, expect, it } from 'vitest'
import { DEMO_LABEL } from '@capstan/demo'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { withOwnStore, createHome } from '../../testing/stored-thread.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

describe('capstan chat', () => {
  it('runs piped lines one after the other, each as a turn', async () => {
    const shell = createFakeShell({ stdin: 'Find my notes about the ferry\n\nAm I free?\n' })
    expect(await main(['chat', '--no-store', '--demo'], shell)).toBe(0)
    const out = shell.out()
    expect(out).toContain(DEMO_LABEL)
    expect(out.indexOf('Ferry to Sandholm')).toBeGreaterThan(out.indexOf('> Find my notes'))
    expect(out.indexOf('> Am I free?')).toBeGreaterThan(out.indexOf('Ferry to Sandholm'))
    expect(out).toContain('What to do next: Reconnect the account.')
    expect(out.match(/✓ Done/g)).toHaveLength(2)
  })

  it('stops reading at /quit', async () => {
    const shell = createFakeShell({ stdin: '/quit\nWhat time is it?\n' })
    expect(await main(['chat', '--no-store', '--demo'], shell)).toBe(0)
    expect(shell.out()).not.toContain('Look at the clock')
  })

  it('ends at Ctrl-C while it waits for piped lines', async () => {
    const shell = createFakeShell()
    const code = main(['chat', '--no-store', '--demo'], shell)
    shell.stdin.write('What time is it?\n')
    await shell.waitForOutput('Done')
    shell.interrupt()
    expect(await code).toBe(130)
  })

  it('runs a turn on a terminal and prints that the user can type meanwhile', async () => {
    const shell = createFakeShell({ terminal: true })
    const code = main(['chat', '--no-store', '--demo', '--fast'], shell)
    await shell.waitForOutput('You can type while it works')
    shell.stdin.write('Find my notes about bread\r')
    await shell.waitForOutput('500 g rye')
    await shell.waitForOutput('Done')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
  })

  it('clears the line at the first Ctrl-C, and leaves at the third', async () => {
    const shell = createFakeShell({ terminal: true })
    const code = main(['chat', '--no-store', '--demo', '--fast'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write(`half a line${CTRL_C}`)
    shell.stdin.write(CTRL_C)
    await shell.waitForOutput('Press Ctrl-C again to leave.')
    shell.stdin.write(CTRL_C)
    expect(await code).toBe(0)
    expect(shell.out()).not.toContain('Done')
  })

  it('leaves at Ctrl-D', async () => {
    const shell = createFakeShell({ terminal: true })
    const code = main(['chat', '--no-store', '--demo', '--fast'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write(CTRL_D)
    expect(await code).toBe(0)
  })

  it('takes the answer to an approval, and stops a waiting turn at Ctrl-C', async () => {
    const home = await createHome()
    const shell = createFakeShell({ terminal: true, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = main(['chat', '--demo', '--fast'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Save a note: one\r')
    await shell.waitForOutput('Type yes, no, conversation, hour or always.')
    shell.stdin.write('YES\r')
    await shell.waitForOutput('✓ Done')
    shell.stdin.write('Save a note: two\r')
    await shell.waitForOutput('"two"')
    shell.stdin.write(CTRL_C)
    await shell.waitForOutput('■ Stopped')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
  })

  it('leaves a waiting turn waiting at /quit, so that it can be answered later', async () => {
    const home = await createHome()
    const shell = createFakeShell({ terminal: true, env: { CAPSTAN_HOME: home, NO_COLOR: '1' } })
    const code = main(['chat', '--demo', '--fast'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Save a note: one\r')
    await shell.waitForOutput('Type yes, no, conversation, hour or always.')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(3)
    expect(shell.out()).toContain('The turn keeps waiting for your answer')
    const runs = await withOwnStore(home, async (store) => store.runs.unfinished())
    expect(runs).toMatchObject([{ status: 'waiting' }])
  })

  it('refuses to start without a model', async () => {
    const shell = createFakeShell({ stdin: 'Hi\n' })
    expect(await main(['chat'], shell)).toBe(2)
    expect(shell.err()).toContain('No model is set')
    expect(shell.err()).toContain('"npx capstan chat --demo"')
  })
})
