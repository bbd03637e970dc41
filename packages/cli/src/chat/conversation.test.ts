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

describe('a conversation', () => {
  it('runs a turn for a line, and another one for the next', async () => {
    const model = new ScriptedModel(says('One.'), says('Two.'))
    const { conversation, shell } = converse(model)
    await conversation.take('first')
    await conversation.take('  second ')
    expect(shell.out()).toContain('One.')
    expect(shell.out()).toContain('Two.')
    expect(sent(model, 1)).toContain('first')
  })

  it('steers the turn that is running, and says so until it was heard', async () => {
    const model = new ScriptedModel(calls('gate'), says('Quickly, then.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.take('go')
    await started
    const steering = conversation.take('be quick')
    conversation.refresh()
    expect(shell.out()).toContain('At the next step: be quick')
    release()
    await Promise.all([turn, steering])
    expect(model.requests).toBe(2)
    expect(sent(model, 1)).toContain('be quick')
    expect(shell.out()).toContain('You added: be quick')
  })

  it('stops the turn at /stop and goes on with what comes next', async () => {
    const model = new ScriptedModel(calls('gate'), says('Here again.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.take('go')
    await started
    await conversation.take('/stop')
    release()
    await turn
    expect(conversation.isRunning).toBe(false)
    expect(shell.out()).toContain('Stopped')
    await conversation.take('still there?')
    expect(shell.out()).toContain('Here again.')
  })

  it('opens the next turn with a message that came too late for this one', async () => {
    const model = new ScriptedModel(calls('gate'), says('New turn.'))
    const { conversation, shell, started, release } = converse(model)
    const turn = conversation.take('go')
    await started
    const late = conversation.take('one more thing')
    conversation.stop()
    release()
    await Promise.all([turn, late])
    expect(shell.out()).toContain('New turn.')
    expect(sent(model, 1)).toContain('one more thing')
  })

  it('continues a turn that paused at its limit', async () => {
    const model = new ScriptedModel(calls('gate'), says('Half done.'), says('All done.'))
    const { conversation, shell, release } = converse(model, { maxIterations: 1 })
    release()
    await conversation.take('/continue')
    expect(shell.out()).toContain('There is nothing to continue.')
    await conversation.take('go')
    expect(shell.out()).toContain('Paused at its limit')
    await conversation.take('/continue')
    expect(shell.out()).toContain('All done.')
  })

  it('ends the turn in good order at /quit', async () => {
    const { conversation, shell, started, release } = converse(new ScriptedModel(calls('gate')))
    const turn = conversation.take('go')
    await started
    const quitting = conversation.take('/quit')
    release()
    await quitting
    expect(shell.out()).toContain('Stopped')
    expect(conversation.isRunning).toBe(false)
    await turn
  })

  it('is over after /quit, and asks nobody about unknown commands', async () => {
    const model = new ScriptedModel()
    const { conversation, shell } = converse(model)
    await conversation.take('/fly now')
    expect(shell.out()).toContain('There is no command "/fly".')
    expect(shell.out()).toContain('/help')
    await conversation.take('')
    await conversation.take('/quit')
    expect(conversation.isOver).toBe(true)
    expect(model.requests).toBe(0)
  })
})
