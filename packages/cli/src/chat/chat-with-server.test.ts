import { defineTool } from '@capstan/harness'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { createFakeShell } from '../testing/fake-shell.ts'
import { startRunningServer } from '../testing/running-server.ts'

const CTRL_C = '\u0003'

/** A server whose assistant can send letters, and look at a gate that opens on demand. */
async function startPost(...replies: readonly ReturnType<typeof says>[]) {
  const sent: unknown[] = []
  const gate = Promise.withResolvers<string>()
  const arrived = Promise.withResolvers<void>()
  const model = new ScriptedModel(...replies)
  const tools = [
    defineTool({
      name: 'send_letter',
      description: 'Sends a letter.',
      input: { type: 'object', properties: { to: { type: 'string' } } },
      effect: 'write',
      destinations: [],
      run(args) {
        sent.push(args)
        return 'sent'
      },
    }),
    defineTool({
      name: 'wait_at_gate',
      description: 'Waits.',
      input: { type: 'object' },
      effect: 'read',
      run() {
        arrived.resolve()
        return gate.promise
      },
    }),
  ]
  const { home, assistant } = await startRunningServer({ model, tools })
  const open = (options: Parameters<typeof createFakeShell>[0] = {}) =>
    createFakeShell({ env: { CAPSTAN_HOME: home, NO_COLOR: '1' }, ...options })
  return { assistant, model, sent, open, arrived: arrived.promise, openGate: () => gate.resolve('open') }
}

const LETTER = { to: 'Ada' }

describe('capstan chat with a running server', () => {
  it('uses its model and its threads', async () => {
    const { assistant, open } = await startPost(says('From the server.'))
    const shell = open({ stdin: 'Hello\n' })
    expect(await main(['chat'], shell)).toBe(0)
    expect(shell.out()).toContain('From the server.')
    expect(await assistant.store.threads.list({ userId: 'local' })).toMatchObject([{ title: 'Hello' }])
  })

  it.each([
    ['yes', [LETTER]],
    ['no', []],
  ])('asks for an approval, and takes %s', async (word, expected) => {
    const { sent, open } = await startPost(calls('send_letter', LETTER), says('Over.'))
    const shell = open({ terminal: true })
    const code = main(['chat'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Send it\r')
    await shell.waitForOutput('Type yes, no')
    shell.stdin.write(`${word}\r`)
    await shell.waitForOutput('Done')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
    expect(sent).toEqual(expected)
    expect(shell.out()).toContain('Over.')
  })

  it('sends the model what is typed while a turn runs', async () => {
    const { assistant, model, arrived, openGate, open } = await startPost(
      calls('wait_at_gate'),
      says('Quickly, then.'),
    )
    const shell = open({ terminal: true })
    const code = main(['chat'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Go\r')
    await arrived
    shell.stdin.write('be quick\r')
    await shell.waitForOutput('At the next step: be quick')
    await vi.waitFor(async () => expect(await assistant.store.threads.withQueued()).toHaveLength(1))
    openGate()
    // The next call of the turn has it, or the next turn when the gate opened before it was in.
    await vi.waitFor(() =>
      expect(JSON.stringify(model.request(model.requests - 1).messages)).toContain('be quick'),
    )
    await shell.waitForOutput('Done')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
  })

  it('stops the turn at Ctrl-C', async () => {
    const { arrived, open } = await startPost(calls('wait_at_gate'))
    const shell = open({ terminal: true })
    const code = main(['chat'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Go\r')
    await arrived
    shell.stdin.write(CTRL_C)
    await shell.waitForOutput('Stopped')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
  })

  it('shows a turn that another program starts in the same thread', async () => {
    const { assistant, open } = await startPost(says('First.'), says('From elsewhere.'))
    const shell = open({ terminal: true })
    const code = main(['chat'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('One\r')
    await shell.waitForOutput('Done')
    const [thread] = await assistant.store.threads.list({ userId: 'local' })
    const session = await assistant.threadsOf('local').open(thread!.id)
    await session.send('Two')
    await shell.waitForOutput('From elsewhere.')
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
  })

  it('prints its events as JSON', async () => {
    const { open } = await startPost(says('Hi.'))
    const shell = open({ stdin: 'Hello\n' })
    expect(await main(['chat', '--json'], shell)).toBe(0)
    const types = shell
      .out()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type)
    expect(types[0]).toBe('turn-start')
    expect(types.at(-1)).toBe('turn-end')
  })

  it('refuses options that the server would not follow', async () => {
    const { open } = await startPost()
    const shell = open()
    expect(await main(['chat', '--demo'], shell)).toBe(2)
    expect(shell.err()).toContain('--no-store')
  })
})

describe('capstan run with a running server', () => {
  it('uses its model and prints the answer', async () => {
    const { open } = await startPost(says('From the server.'))
    const shell = open()
    expect(await main(['run', 'Hello'], shell)).toBe(0)
    expect(shell.out()).toBe('From the server.\n')
  })

  it('goes on in a thread', async () => {
    const { assistant, model, open } = await startPost(says('One.'), says('Two.'))
    expect(await main(['run', 'first'], open())).toBe(0)
    const [thread] = await assistant.store.threads.list({ userId: 'local' })
    expect(await main(['run', '--thread', thread!.id, 'second'], open())).toBe(0)
    expect(JSON.stringify(model.request(1).messages)).toContain('first')
  })

  it('ends with the approval that the turn waits for', async () => {
    const { sent, open } = await startPost(calls('send_letter', LETTER), says('Over.'))
    const shell = open()
    expect(await main(['run', '--json', 'Send it'], shell)).toBe(3)
    expect(JSON.parse(shell.out())).toMatchObject({ type: 'waiting', kind: 'approval' })
    expect(shell.err()).toContain('capstan approvals approve')
    expect(sent).toEqual([])
  })

  it('runs in its own process when a model is named', async () => {
    const { model, open } = await startPost()
    const shell = open()
    expect(await main(['run', '--model', 'http://127.0.0.1:9/v1#none', 'Hello'], shell)).toBe(1)
    expect(model.requests).toBe(0)
  })
})
