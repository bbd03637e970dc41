import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const PROGRAM = fileURLToPath(new URL('hung-connector.fixture.ts', import.meta.url))

/** Runs the program to its end: its lines, and its exit code. */
async function runWith(hung: string) {
  const child = spawn(process.execPath, [PROGRAM, hung], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, lines: out.trim().split('\n'), err }
}

it.each([
  ['toolkits', ['not_found', 'done', 'closed']],
  ['beginSignIn', ['settled', 'not_connected', 'done', 'closed']],
  ['check', ['not_connected', 'done', 'closed']],
  ['adopt', ['not_connected', 'done', 'closed']],
  ['actions', ['settled', 'timeout', 'done', 'closed']],
  ['execute', ['settled', 'interrupted', 'done', 'closed']],
  ['disconnect', ['settled', 'ok', 'done', 'true', 'closed']],
  ['close', ['settled', 'ok', 'done', 'closed']],
])('a program whose connector never answers in %s ends by itself and says how', async (hung, lines) => {
  expect(await runWith(hung)).toEqual({ code: 0, lines, err: '' })
})

it('a program whose connector never lists its actions hears it from a delegation, too', async () => {
  const { code, lines } = await runWith('actions delegated')
  expect({ code, lines }).toEqual({ code: 0, lines: ['settled', 'timeout', 'done', 'closed'] })
})
