import { describe, expect, it } from 'vitest'
import type { ProviderServer } from '../../../../harness/src/testing/provider-server.ts'
import {
  chatReply,
  failsWith,
  stallAfter,
  startProviderServer,
} from '../../../../harness/src/testing/provider-server.ts'
import { main } from '../../main.ts'
import type { FakeShellOptions } from '../../testing/fake-shell.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'

const callsClock = chatReply({
  text: 'Looking.',
  calls: [{ id: 'c1', tool: 'clock', args: '{"time_zone":"UTC"}' }],
})

const modelAt = ({ url }: ProviderServer): string => `${url}/v1#test`

async function run(server: ProviderServer, args: readonly string[], options: FakeShellOptions = {}) {
  const shell = createFakeShell(options)
  const code = await main(['run', '--model', modelAt(server), ...args], shell)
  return { code, out: shell.out(), err: shell.err() }
}

describe('capstan run', () => {
  it('prints only the answer into a pipe', async () => {
    await using server = await startProviderServer(callsClock, chatReply({ text: 'It is noon.' }))
    expect(await run(server, ['What time is it?'])).toEqual({ code: 0, out: 'It is noon.\n', err: '' })
  })

  it('reads the prompt from the arguments or standard input', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Yes.' }), chatReply({ text: 'Yes.' }))
    await run(server, ['Is', 'it?'])
    await run(server, ['-'], { stdin: 'From a pipe?\n' })
    expect(JSON.stringify(server.requests[0]?.body)).toContain('Is it?')
    expect(JSON.stringify(server.requests[1]?.body)).toContain('From a pipe?')
  })

  it('writes the timeline to standard error with --timeline', async () => {
    await using server = await startProviderServer(callsClock, chatReply({ text: 'It is noon.' }))
    const { out, err } = await run(server, ['--timeline', 'What time is it?'])
    expect(out).toBe('It is noon.\n')
    expect(err).toMatch(/✓ Look at the clock {2}UTC +\S+ ms/)
    expect(err).toMatch(/✓ Done · 2 steps · 1 call · 40 tokens in, 16 out · cost unknown/)
  })

  it('streams text and timeline together on a terminal', async () => {
    await using server = await startProviderServer(callsClock, chatReply({ text: 'It is noon.' }))
    const { out, err } = await run(server, ['What time is it?'], { terminal: true, env: { NO_COLOR: '1' } })
    expect(out).toContain('Looking.')
    expect(out).toContain('✓ Look at the clock')
    expect(out).toContain('It is noon.')
    expect(err).toBe('')
  })

  it('streams only the text with --no-timeline', async () => {
    await using server = await startProviderServer(callsClock, chatReply({ text: 'It is noon.' }))
    const { out } = await run(server, ['--no-timeline', 'What time is it?'], { terminal: true })
    expect(out).toContain('It is noon.')
    expect(out).not.toContain('Look at the clock')
  })

  it('prints the outcome as one line of JSON with --json', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Yes.' }))
    const { code, out, err } = await run(server, ['--json', 'Is it?'])
    expect(code).toBe(0)
    expect(out.trimEnd()).not.toContain('\n')
    expect(JSON.parse(out)).toMatchObject({
      type: 'done',
      text: 'Yes.',
      iterations: 1,
      usage: { inputTokens: 20 },
    })
    expect(err).toBe('')
  })

  it('prints every event as a line of JSON with --events, the outcome last', async () => {
    await using server = await startProviderServer(callsClock, chatReply({ text: 'It is noon.' }))
    const { out } = await run(server, ['--json', '--events', 'What time is it?'])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; seq: number })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.map(({ type }) => type)).toContain('tool-end')
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done', text: 'It is noon.' } })
  })

  it('prints cause and next step when the model call fails, and exits 1', async () => {
    await using server = await startProviderServer(failsWith(401, { error: { message: 'bad key' } }))
    const { code, out, err } = await run(server, ['Hi'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/Failed/)
    expect(err).toContain('Why: The provider of the AI model did not accept the key.')
    expect(err).toContain('What to do next: ')
  })

  it('exits 3 when it ran out of iterations', async () => {
    await using server = await startProviderServer(callsClock)
    const { code, err } = await run(server, ['--max-iterations', '1', 'What time is it?'])
    expect(code).toBe(3)
    expect(err).toContain('Why: ')
    expect(server.requests).toHaveLength(1)
  })

  it('offers no tools with --no-tools', async () => {
    await using server = await startProviderServer(chatReply({ text: 'Yes.' }), chatReply({ text: 'Yes.' }))
    await run(server, ['Is it?'])
    await run(server, ['--no-tools', 'Is it?'])
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ function: { name: 'clock' } }] })
    expect(server.requests[1]?.body).not.toHaveProperty('tools')
  })

  it('removes control characters from the answer', async () => {
    await using server = await startProviderServer(chatReply({ text: 'a\u001b[2J\u001b]0;x\u0007b\rc' }))
    expect(await run(server, ['Hi'])).toMatchObject({ out: 'abc\n' })
  })

  it('stops the turn at the first Ctrl-C and the process at the second', async () => {
    const stalled = stallAfter(chatReply({ text: 'Once upon a time' }), 'Once')
    await using server = await startProviderServer(stalled)
    const shell = createFakeShell({ terminal: true })
    const code = main(['run', '--model', modelAt(server), 'Tell me'], shell)
    await shell.waitForOutput('Once')
    shell.interrupt()
    shell.interrupt()
    expect(shell.exits).toEqual([130])
    expect(await code).toBe(130)
    expect(shell.out()).toContain('Stopped')
    await server.abandoned
  })

  it.each([
    [['Hi'], /^capstan: No model is set: name one with --model or CAPSTAN_MODEL.*\n$/],
    [['--model', 'gpt', 'Hi'], /^capstan: model "gpt" names no model.*\n$/],
    [['--model', 'openai/gpt-6.1-terra', 'Hi'], /^capstan: OPENAI_API_KEY is not set.*\n$/],
    [['--model', 'ollama/x'], /^capstan: There is no prompt: .*\n$/],
    [['--model', 'ollama/x', '-'], /^capstan: There is no prompt: .*\n$/],
    [['--model', 'ollama/x', '--max-iterations', '0', 'Hi'], /^capstan: --max-iterations .*not "0".\n$/],
    [['--model', 'ollama/x', '--dialect', 'smoke', 'Hi'], /^capstan: --dialect .*not "smoke".\n$/],
  ])('answers wrong arguments %j with one sentence and exits 2', async (args, sentence) => {
    const shell = createFakeShell({ stdin: '' })
    expect(await main(['run', ...args], shell)).toBe(2)
    expect(shell.err()).toMatch(sentence)
    expect(shell.out()).toBe('')
  })
})
