import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHome } from './testing/stored-thread.ts'

const BINARY = fileURLToPath(new URL('../bin/capstan.mjs', import.meta.url))
/** Processes start slowly while other tests run. */
const TIMEOUT_MS = 60_000

function start(home: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', CAPSTAN_HOME: home },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function capstan(home: string, args: readonly string[], stdin = '') {
  const child = start(home, args)
  child.stdin?.end(stdin)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)])
  return { code, out, err }
}

async function waitForOutput(child: ChildProcess, expected: string): Promise<void> {
  let seen = ''
  for await (const chunk of child.stdout!) {
    seen += String(chunk)
    if (seen.includes(expected)) return
  }
  throw new Error(`it ended without "${expected}": ${seen}`)
}

const idOf = (line: string): string => (JSON.parse(line.split('\n')[0] ?? '') as { id: string }).id

describe('the real binary', { timeout: TIMEOUT_MS }, () => {
  it('leaves a turn waiting, has it approved by a second process and resumed by a third', async () => {
    const home = await createHome()
    expect((await capstan(home, ['chat', '--demo'], 'Save a note: buy flour\n')).code).toBe(3)
    const approval = idOf((await capstan(home, ['approvals', '--json'])).out)
    expect((await capstan(home, ['approvals', 'approve', approval])).code).toBe(0)
    expect(await capstan(home, ['approvals', 'approve', approval])).toMatchObject({ code: 1, out: '' })
    const resumed = await capstan(home, ['resume', '--demo'])
    expect(resumed).toMatchObject({ code: 0, err: '' })
    expect(resumed.out).toContain('It is in your notes now.')
    const run = idOf((await capstan(home, ['runs', '--json'])).out)
    const report = await capstan(home, ['explain', run])
    expect(report).toMatchObject({ code: 0, err: '' })
    expect(report.out).toContain('Asked for a yes, and got it')
  })

  it('reads threads while a chat owns the folder, and loses nothing when the chat is killed', async () => {
    const home = await createHome()
    const chat = start(home, ['chat', '--demo'])
    chat.stdin?.write('Save a note: buy flour\n')
    await waitForOutput(chat, 'Type yes, no, conversation, hour or always.')
    expect((await capstan(home, ['threads'])).out).toContain('Save a note: buy flour')
    const refused = await capstan(home, ['threads', 'archive', 'thread_'])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(/^capstan: Another process \(pid \d+\) .*\n$/)
    const killed = new Promise((resolve) => chat.on('exit', resolve))
    chat.kill('SIGKILL')
    await killed
    const { code, out } = await capstan(home, ['resume'])
    expect(code).toBe(3)
    expect(out).toContain('Waiting: Save a note: buy flour')
  })

  it('prints what happened and what to do, and no stack, when the data folder is not a folder', async () => {
    const { code, err } = await capstan(BINARY, ['chat', '--demo'], '')
    expect(code).toBe(1)
    expect(err).toMatch(/^capstan: [^\n]+\nWhat to do next: [^\n]+\n$/)
  })
})
