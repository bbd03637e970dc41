import { describe, expect, it } from 'vitest'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../testing/index.ts'
import { textOf } from '../turn/message/message.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import { createDefaultGuards } from './default-guards.ts'
import { replayTrace } from './replay-trace.ts'
import { ALL_TRACES } from './traces/all-traces.ts'
import { did, failed, looked, silent, times } from './traces/trace.ts'

const replay = (...steps: Parameters<typeof replayTrace>[0]['steps']) => replayTrace({ id: 'test', steps })

describe('the default guards', () => {
  it('nudge once before they halt a turn with an answer', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...times(3, () => calls('vault_open', { code: 7 })), says('never said'))
    const outcome = await runStateless({
      model,
      tools: [stubTool('vault_open', () => fail('wrong code', { httpStatus: 422 }))],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({
      type: 'halted',
      guard: 'identical-failing-call',
      failure: { class: 'invalid_input' },
      iterations: 3,
    })
    expect(outcome.text).toMatch(/"vault_open" failed 3 times.*wrong code.*You can/s)
    expect(events.of('guard-nudge').map(({ iteration, guard }) => [iteration, guard])).toEqual([
      [2, 'identical-failing-call'],
    ])
    expect(textOf(model.request(2).messages.at(-1)!)).toContain('has failed 2 times')
  })

  it('ask for the missing connection', () => {
    const delegate = (n: number) =>
      silent(
        failed(
          'delegate_to_integrations_agent',
          { toolkit: 'gmail', prompt: `Try ${n}` },
          'not_connected',
          'gmail is not connected.',
        ),
      )
    expect(replay(...times(6, delegate)).answer).toMatch(/Please connect "gmail", then ask me to go on\.$/)
  })

  it('quote only a short part of a long reason', () => {
    const { answer } = replay(...times(3, () => silent(failed('dump', {}, 'unknown', 'x'.repeat(5000)))))
    expect(answer!.length).toBeLessThan(900)
    expect(answer).toContain(`${'x'.repeat(600)}…`)
  })

  it('treat a write in between as a new attempt, but not a read', () => {
    const test = silent(failed('test', {}, 'command_failed', 'one red'))
    const edit = (n: number) => silent(did('edit', { line: n }, 'edited'))
    const read = (n: number) => silent(looked('read', { line: n }, `line ${n}`))
    expect(replay(...times(6, (n) => [test, edit(n)]).flat())).toEqual({ halted: false })
    expect(replay(...times(6, (n) => [test, read(n)]).flat())).toMatchObject({ halted: true, step: 4 })
  })

  it('treat all calls of an unknown tool as one call', async () => {
    const outcome = await runStateless({
      model: new ScriptedModel(...times(3, (n) => calls('teleport', { to: n })), says('never said')),
      input: 'go',
    })
    expect(outcome).toMatchObject({ type: 'halted', guard: 'identical-failing-call', iterations: 3 })
  })

  it('treat a negative body of a success as a failure', () => {
    const validate = silent(did('validate', { plan: 1 }, '{"ok": false, "errors": ["no roof"]}'))
    expect(replay(validate, validate, validate)).toMatchObject({
      halted: true,
      guard: 'identical-failing-call',
    })
  })

  it('ignore a declared wait', async () => {
    const outcome = await runStateless({
      model: new ScriptedModel(...times(9, () => calls('wait')), says('Done.')),
      tools: [stubTool('wait', () => 'not yet', { polls: true })],
      input: 'go',
      limits: { maxIterations: 12 },
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Done.' })
  })

  it('do not halt a resumed run at once after an earlier halt', () => {
    for (const trace of ALL_TRACES.filter(({ kind }) => kind === 'looping')) {
      const guards = createDefaultGuards()
      const { step } = replayTrace(trace, guards)
      for (const guard of guards) guard.reset?.()
      const next = { id: 'resumed', steps: trace.steps.slice(step, step! + 1) }
      expect(replayTrace(next, guards), trace.id).toEqual({ halted: false })
    }
  })

  it('have unique names', () => {
    const names = createDefaultGuards().map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
