import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '@capstan/harness'
import { defineTool } from '@capstan/harness'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import { createScreen } from '../terminal/live-screen.ts'
import { createFakeShell } from '../testing/fake-shell.ts'
import { Conversation } from './conversation.ts'
import { openUnsavedThread } from './chat-thread.ts'

function converse(model: ScriptedModel, limits: SessionOptions['limits'] = {}) {
  const shell = createFakeShell({ terminal: true, env: { NO_COLOR: '1' } })
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<string>()
  const gate = defineTool({
    name: 'gate',
    description: 'Waits.',
    input: { type: 'object' },
    effect: 'read',
    run() {
      started.resolve()
      return release.promise
    },
  })
  const screen = createScreen(shell.stdout, shell.env)
  const conversation = new Conversation(openUnsavedThread({ model, tools: [gate], limits }), {
    screen,
    env: shell.env,
  })
  return { conversation, shell, started: started.promise, release: () => release.resolve('open') }
}

const sent = (model: ScriptedModel, request: number) => JSON.stringify(model.request(request).messages)

describe('Conversation', () => {
  it('runs one turn per line', async () => {
    const model = new ScriptedModel(says('One.'), says('Two.'))
    const { conversation, shell } = converse(model)
    await conversation.handleLine('first')
    await conversation.handleLine('  second ')
    expect(shell.out()).toContain('One.')
    expect(shell.out()).toContain('Two.')
    expect(sent(model, 1)).toContain('first')
  })

  it('steers the running turn, and shows the message until the model has it', async () => {
    const model = new ScriptedModel(calls('gate'), says('Quickly, then.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.handleLine('go')
    await started
    const steering = conversation.handleLine('be quick')
    conversation.refresh()
    expect(shell.out()).toContain('At the next step: be quick')
    release()
    await Promise.all([turn, steering])
    expect(model.requests).toBe(2)
    expect(sent(model, 1)).toContain('be quick')
    expect(shell.out()).toContain('You added: be quick')
  })

  it('stops the turn at /stop and runs the next line', async () => {
    const model = new ScriptedModel(calls('gate'), says('Here again.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.handleLine('go')
    await started
    await conversation.handleLine('/stop')
    release()
    await turn
    expect(conversation.isRunning).toBe(false)
    expect(shell.out()).toContain('Stopped')
    await conversation.handleLine('still there?')
    expect(shell.out()).toContain('Here again.')
  })

  it('starts the next turn with a message that the running turn could not take', async () => {
    const model = new ScriptedModel(calls('gate'), says('New turn.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.handleLine('go')
    await started
    const late = conversation.handleLine('one more thing')
    conversation.stop()
    release()
    await Promise.all([turn, late])
    expect(shell.out()).toContain('New turn.')
    expect(sent(model, 1)).toContain('one more thing')
  })

  it('continues a turn that paused at its limit at /continue', async () => {
    const model = new ScriptedModel(calls('gate'), says('Half done.'), says('All done.'))
    const { conversation, shell, release } = converse(model, { maxIterations: 1 })
    release()
    await conversation.handleLine('/continue')
    expect(shell.out()).toContain('There is nothing to continue.')
    await conversation.handleLine('go')
    expect(shell.out()).toContain('Paused at its limit')
    await conversation.handleLine('/continue')
    expect(shell.out()).toContain('All done.')
  })

  it('stops the turn at /quit and waits for its end', async () => {
    const { conversation, shell, started, release } = converse(new ScriptedModel(calls('gate')))
    const turn = conversation.handleLine('go')
    await started
    const quitting = conversation.handleLine('/quit')
    release()
    await quitting
    expect(shell.out()).toContain('Stopped')
    expect(conversation.isRunning).toBe(false)
    await turn
  })

  it('is over after /quit, and sends no unknown command to the model', async () => {
    const model = new ScriptedModel()
    const { conversation, shell } = converse(model)
    await conversation.handleLine('/fly now')
    expect(shell.out()).toContain('There is no command "/fly".')
    expect(shell.out()).toContain('/help')
    await conversation.handleLine('')
    await conversation.handleLine('/quit')
    expect(conversation.isOver).toBe(true)
    expect(model.requests).toBe(0)
  })
})
