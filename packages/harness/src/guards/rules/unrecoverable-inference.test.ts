import type { CallId, Failure } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import { classifyModelError, classifyOutcome } from '../../failures/classify.ts'
import { calls, fails, says, ScriptedModel } from '../../testing/index.ts'
import type { FinishedCall } from '../../turn/tool/finished-call.ts'
import { createUnrecoverableInferenceGuard } from './unrecoverable-inference.ts'

const finished = (failure: Failure): FinishedCall => ({
  call: { id: 'c1' as CallId, tool: 'delegate_to_scout', arguments: {} },
  result: {
    callId: 'c1' as CallId,
    tool: 'delegate_to_scout',
    ok: false,
    text: 'The agent "scout" failed. Do not claim success.',
    failure,
    durationMs: 1,
    outputBytes: 10,
  },
  polls: false,
})

const modelError = (httpStatus: number): Failure =>
  classifyModelError({ kind: 'http', model: 'm', httpStatus, retryable: false })

const agent = (id: string, agents: readonly AgentDefinition[] = []): AgentDefinition => ({
  id,
  description: `Works as ${id}.`,
  instructions: `You are ${id}.`,
  agents,
})

describe('a delegated run whose model fails', () => {
  it.each([401, 402, 404])('halts at once on status %d, in words for the user', (status) => {
    const failure = modelError(status)
    const verdict = createUnrecoverableInferenceGuard().afterCall!(finished(failure))
    expect(verdict).toMatchObject({ action: 'halt' })
    expect(verdict!.text).toContain('"delegate_to_scout" could not use its AI model')
    expect(verdict!.text).toContain(failure.cause)
    expect(verdict!.text).not.toContain('Do not claim success')
  })

  it.each([429, 500])('is not halted on status %d', (status) => {
    expect(createUnrecoverableInferenceGuard().afterCall!(finished(modelError(status)))).toBeUndefined()
  })

  it('is recognised by the facts of the harness, not by a tool with the same failure', () => {
    const guard = createUnrecoverableInferenceGuard()
    for (const httpStatus of [401, 402, 404]) {
      expect(guard.afterCall!(finished(classifyOutcome({ httpStatus })))).toBeUndefined()
    }
  })

  it('halts the runs above it, too, after one try', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_planner', { prompt: 'plan it' }),
      calls('delegate_to_scout', { prompt: 'look around' }),
      fails(402),
      says('never said'),
    )
    const outcome = await runStateless({ model, agents: [agent('planner', [agent('scout')])], input: 'go' })
    expect(outcome).toMatchObject({
      type: 'halted',
      guard: 'unrecoverable-inference',
      failure: { class: 'quota_exhausted' },
    })
    expect(outcome.text).toContain('"delegate_to_planner" could not use its AI model')
    expect(model.requests).toBe(3)
  })
})
