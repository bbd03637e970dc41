import type { ModelClient } from '@capstan/harness'
import { defineTool } from '@capstan/harness'
import { calls, finish, handMadeModel, says, ScriptedModel, text } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import type { Assistant } from '@capstan/server'
import { describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { createFakeShell } from '../testing/fake-shell.ts'
import { startRunningServer } from '../testing/running-server.ts'

const CTRL_C = '\u0003'

/** A server whose assistant can send letters, and look at a gate that opens on demand. */
async function startPost(...replies: readonly ReturnType<typeof says>[]) {
  return startPostWith(new ScriptedModel(...replies))
}

async function startPostWith<Model extends ModelClient>(model: Model) {
  const sent: unknown[] = []
  const gate = Promise.withResolvers<string>()
  const arrived = Promise.withResolvers<void>()
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

/** An agent that starts a critic, and closes it after it was at the gate. The critic never answers. */
function closingModel() {
  const steps = [
    [['spawn_agent', { agent: 'critic', prompt: 'Look at it.' }]],
    [
      ['wait_at_gate', {}],
      ['close_agent', { agent: 'critic_1' }],
    ],
  ] as const
  return handMadeModel(async function* ({ messages }, signal) {
    if (JSON.stringify(messages[0]).includes('Look at it.'))
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const step = steps[messages.filter(({ role }) => role === 'assistant').length]
    for (const [tool, args] of step ?? [])
      yield { type: 'call', id: `call_${tool}`, tool, argumentsText: JSON.stringify(args) }
    if (!step) yield text('Closed.')
    yield finish
  })
}

/** The texts of the messages in a thread, also of those to sub-agents. */
async function sentTo({ store }: Assistant, id: ThreadId): Promise<readonly string[]> {
  const records = await store.ledger.read(id)
  return records.flatMap((one) =>
    one.type === 'message' && one.message.role === 'user'
      ? one.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [],
  )
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

  it('sends a message once when a sub-agent ends before the model has it', async () => {
    const { assistant, arrived, openGate, open } = await startPostWith(closingModel())
    const shell = open({ terminal: true })
    const code = main(['chat'], shell)
    await shell.waitForOutput('/quit leaves')
    shell.stdin.write('Go\r')
    await arrived
    shell.stdin.write('be quick\r')
    await vi.waitFor(async () => expect(await assistant.store.threads.withQueued()).toHaveLength(1))
    openGate()
    await vi.waitFor(async () => expect(await assistant.store.threads.withQueued()).toEqual([]))
    await assistant.threadsOf('local').idle()
    shell.stdin.write('And now?\r')
    const [thread] = await assistant.store.threads.list({ userId: 'local' })
    await vi.waitFor(async () => expect(await sentTo(assistant, thread!.id)).toContain('And now?'))
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
    expect(await sentTo(assistant, thread!.id)).toEqual(['Go', 'Look at it.', 'be quick', 'And now?'])
  })

  it('allows hidden values in a thread that was waiting before', async () => {
    const letter = { ...LETTER, password: 'correct-horse-7-battery' }
    const { assistant, sent, open } = await startPost(calls('send_letter', letter), says('Over.'))
    expect(await main(['run', 'Send it'], open())).toBe(3)
    const [thread] = await assistant.store.threads.list({ userId: 'local' })
    const shell = open({ terminal: true })
    const code = main(['chat', '--thread', thread!.id], shell)
    await shell.waitForOutput('Type yes, no')
    shell.stdin.write('yes\r')
    await shell.waitForOutput('Some values are hidden.')
    shell.stdin.write('yes\r')
    await Promise.race([shell.waitForOutput('Over.'), code])
    shell.stdin.write('/quit\r')
    expect(await code).toBe(0)
    expect(sent).toEqual([letter])
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

  it('sends nothing when it is stopped before it has reached the server', async () => {
    const { model, open } = await startPost(says('Too late.'))
    const shell = open()
    const onInterrupt: typeof shell.onInterrupt = (listener) => {
      listener()
      return shell.onInterrupt(listener)
    }
    expect(await main(['run', '--json', 'Hello'], { ...shell, onInterrupt })).toBe(130)
    expect(JSON.parse(shell.out())).toMatchObject({ type: 'aborted' })
    expect(model.requests).toBe(0)
  })

  it('runs in its own process when a model is named', async () => {
    const { model, open } = await startPost()
    const shell = open()
    expect(await main(['run', '--model', 'http://127.0.0.1:9/v1#none', 'Hello'], shell)).toBe(1)
    expect(model.requests).toBe(0)
  })
})
