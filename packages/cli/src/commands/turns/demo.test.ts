import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DEMO_LABEL } from '@capstan/demo'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'

/** Processes start slowly while other tests run. */
const TIMEOUT_MS = 60_000
const BIN = fileURLToPath(new URL('../../../bin/capstan.mjs', import.meta.url))

async function start(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, out, err }
}

describe('capstan demo', { timeout: TIMEOUT_MS }, () => {
  it('shows a whole turn without a network or a key', async () => {
    const { code, out, err } = await start('demo', '--fast')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(DEMO_LABEL)
    expect(out).toMatch(/^ {2}✓ Look at the clock {2}\S+ +\S+ ms$/m)
    expect(out).toMatch(/^ {2}✓ Search notes {2}ferry +\S+ ms$/m)
    expect(out).toMatch(
      /^ {2}✗ Read calendar {2}tomorrow .*\n {4}Why: The sign-in .*\n {4}What to do next: Reconnect the account\.$/m,
    )
    expect(out).toMatch(/^ {2}✓ Ask notes helper .*\n {2}│ ✓ Search notes .*\n {2}│ ✓ Read note .*$/m)
    expect(out).toMatch(/^It is \d\d:\d\d on \w+day\.$/m)
    expect(out).toContain('From your notes: Ferry to Sandholm: Leaves at 18:40 from pier 4.')
    expect(out).toContain('To pack: Rain jacket')
    expect(out).toMatch(/✓ Done · 3 steps · 6 calls \(1 failed\) · [\s\S]*cost unknown/)
    expect(out).toContain('npx capstan run')
    expect(out).not.toContain('\u001b')
  })

  it('stops the turn at Ctrl-C', async () => {
    const shell = createFakeShell({ terminal: true })
    const code = main(['demo'], shell)
    await shell.waitForOutput('I will')
    shell.interrupt()
    expect(await code).toBe(130)
    expect(shell.out()).toContain('Stopped')
    expect(shell.out()).not.toContain('What to try next')
  })
})

describe('the capstan process', { timeout: TIMEOUT_MS }, () => {
  it('ends with the exit code of its command', async () => {
    expect(await start('run', 'Hi')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^capstan: No model/),
    })
  })
})
