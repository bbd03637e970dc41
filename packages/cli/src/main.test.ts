import { describe, expect, it } from 'vitest'
import { main } from './main.ts'
import { createFakeShell } from './testing/fake-shell.ts'

async function capstan(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const shell = createFakeShell({ stdin: '' })
  const code = await main(args, shell)
  return { code, out: shell.out(), err: shell.err() }
}

describe('the command line', () => {
  it.each([['--version'], ['-v']])('prints the version at %s', async (flag) => {
    expect(await capstan(flag)).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' })
  })

  it.each([['--help'], ['-h'], ['help']])('lists its commands at %s', async (flag) => {
    const { code, out } = await capstan(flag)
    expect(code).toBe(0)
    for (const command of ['serve', 'login', 'demo', 'run', 'chat', 'toolkits', 'connect', 'doctor'])
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'))
  })

  it.each(['serve', 'login', 'demo', 'run', 'chat', 'toolkits', 'connect', 'doctor'])(
    'prints the help of %s',
    async (command) => {
      for (const flag of ['--help', '-h']) {
        expect(await capstan(command, flag)).toMatchObject({
          code: 0,
          out: expect.stringContaining(`Usage: capstan ${command}`),
        })
      }
    },
  )

  it.each([
    [['fly'], 'There is no command "fly". See "capstan --help".'],
    [['toString'], 'There is no command "toString". See "capstan --help".'],
    [['--fly'], 'There is no option "--fly". See "capstan --help".'],
    [['demo', '--slow'], 'Unknown option \'--slow\'. See "capstan demo --help".'],
    [['demo', 'now'], 'Unexpected argument \'now\'. See "capstan demo --help".'],
    [['demo', '--fast=1'], 'Option \'--fast\' does not take an argument. See "capstan demo --help".'],
    [['run', 'hi', '--model'], 'Option \'--model <value>\' argument missing. See "capstan run --help".'],
    [['chat', '--turbo'], 'Unknown option \'--turbo\'. See "capstan chat --help".'],
  ])('answers wrong arguments %j with one sentence', async (args, sentence) => {
    expect(await capstan(...args)).toEqual({ code: 2, out: '', err: `capstan: ${sentence}\n` })
  })

  it('removes control characters from a mistyped command', async () => {
    const { err } = await capstan('x\u001b[2J')
    expect(err).toBe('capstan: There is no command "x". See "capstan --help".\n')
  })

  it('treats arguments after -- as the prompt', async () => {
    const { code, err } = await capstan('run', '--', '--help')
    expect(code).toBe(2)
    expect(err).toContain('No model is set')
  })
})
