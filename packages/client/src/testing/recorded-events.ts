import type { CallId, RunId, ThreadId, TurnEvent, TurnEventBody, TurnOutcome, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'

const THREAD = 'thread_1' as ThreadId
export const runId = (name: string): RunId => `run_${name}` as RunId
export const callId = (name: string): CallId => `call_${name}` as CallId

/** A list of events, numbered by itself, a tenth of a second apart. */
export class Recording {
  readonly events: TurnEvent[] = []
  #at: number

  constructor(startedAt = 1_780_000_000_000) {
    this.#at = startedAt
  }

  add(run: string, ...bodies: readonly TurnEventBody[]): this {
    for (const body of bodies) {
      this.#at += 100
      this.events.push({
        ...body,
        threadId: THREAD,
        runId: runId(run),
        seq: this.events.length + 1,
        at: this.#at,
      })
    }
    return this
  }

  wait(ms: number): this {
    this.#at += ms
    return this
  }
}

export const usage = (inputTokens: number, outputTokens: number, estimatedUsd = 0): Usage => ({
  ...NO_USAGE,
  inputTokens,
  outputTokens,
  estimatedUsd,
})

export const starts = (text: string, parent?: readonly [run: string, call: string]): TurnEventBody => ({
  type: 'turn-start',
  agent: parent ? 'integrations' : 'orchestrator',
  depth: parent ? 1 : 0,
  model: 'scripted',
  text,
  ...(parent ? { parent: { runId: runId(parent[0]), callId: callId(parent[1]) } } : {}),
})

export const iteration = (number: number): TurnEventBody => ({
  type: 'iteration-start',
  iteration: number,
  maxIterations: 40,
})

export const says = (number: number, delta: string): TurnEventBody => ({
  type: 'text-delta',
  iteration: number,
  delta,
})

export const thinks = (number: number, delta: string): TurnEventBody => ({
  type: 'reasoning-delta',
  iteration: number,
  delta,
})

export const writes = (number: number, call: string, tool: string, delta: string): TurnEventBody => ({
  type: 'tool-args-delta',
  iteration: number,
  callId: callId(call),
  tool,
  delta,
})

export const calls = (
  number: number,
  call: string,
  tool: string,
  args: unknown = {},
  label = tool,
  detail?: string,
): TurnEventBody => ({
  type: 'tool-start',
  iteration: number,
  callId: callId(call),
  tool,
  arguments: args,
  label,
  ...(detail === undefined ? {} : { detail }),
})

export const gets = (number: number, call: string, tool: string, output: string): TurnEventBody => ({
  type: 'tool-end',
  iteration: number,
  callId: callId(call),
  tool,
  ok: true,
  output,
  outputBytes: output.length,
  durationMs: 420,
})

export const fails = (
  number: number,
  call: string,
  tool: string,
  failure: NonNullable<Extract<TurnEventBody, { type: 'tool-end' }>['failure']>,
): TurnEventBody => ({
  type: 'tool-end',
  iteration: number,
  callId: callId(call),
  tool,
  ok: false,
  output: failure.cause,
  outputBytes: failure.cause.length,
  durationMs: 1300,
  failure,
})

export const asks = (number: number, approval: string, call: string, tool: string): TurnEventBody => ({
  type: 'approval-request',
  iteration: number,
  approvalId: approval,
  callId: callId(call),
  tool,
  label: 'Delete a page',
  arguments: { page: 'Budget' },
  digest: 'digest',
  expiresAt: 1_780_600_000_000,
})

export const connects = (call: string, connection: string): TurnEventBody => ({
  type: 'connection-request',
  iteration: 0,
  callId: callId(call),
  connectionId: connection,
  toolkit: 'notes',
  name: 'Notes',
})

export const paid = (number: number, call: Usage, total = call): TurnEventBody => ({
  type: 'usage-update',
  iteration: number,
  model: 'scripted',
  call,
  total,
  durationMs: 800,
})

export const ends = (text: string, outcome: Partial<TurnOutcome> = {}): TurnEventBody => ({
  type: 'turn-end',
  outcome: { type: 'done', text, usage: NO_USAGE, iterations: 1, ...outcome } as TurnOutcome,
})

/** Two turns with everything: a wait for an app, a sub-agent with a failure and an approval, a retry, a notice. */
export function recordSampleThread(): readonly TurnEvent[] {
  return new Recording()
    .add('a', starts('Save this to my Notes'), iteration(1), thinks(1, 'They want '), thinks(1, 'a note.'))
    .add('a', says(1, 'Let me connect'), says(1, ' Notes first.'), writes(1, '1', 'connect_app', '{"tool'))
    .add('a', writes(1, '1', 'connect_app', 'kit":"notes"}'), paid(1, usage(900, 40, 0.001)))
    .add('a', calls(1, '1', 'connect_app', { toolkit: 'notes' }, 'Connect an app', 'notes'))
    .add('a', connects('1', 'connection_1'))
    .wait(9000)
    .add('a', { type: 'turn-resume', iteration: 1 })
    .add('a', calls(1, '1', 'connect_app', { toolkit: 'notes' }, 'Connect an app', 'notes'))
    .add('a', gets(1, '1', 'connect_app', 'Notes is connected.'), iteration(2))
    .add('a', {
      type: 'notice-add',
      iteration: 2,
      text: 'The app Notes is connected now: use delegate_to_integrations_agent with toolkit "notes".',
      fact: { kind: 'app-connected', name: 'Notes', slug: 'notes' },
    })
    .add('a', says(2, 'half a wo'), {
      type: 'model-retry',
      iteration: 2,
      model: 'scripted',
      attempt: 1,
      delayMs: 500,
      failure: {
        class: 'rate_limited',
        category: 'transient',
        cause: 'Slow down.',
        next: 'Wait.',
        recoverable: true,
      },
    })
    .add(
      'a',
      calls(
        2,
        '2',
        'delegate_to_integrations_agent',
        { toolkit: 'notes', prompt: 'save' },
        'Work with an app',
      ),
    )
    .add('b', starts('save', ['a', '2']), iteration(1), calls(1, '1', 'notes_find', { title: 'x' }))
    .add(
      'b',
      fails(1, '1', 'notes_find', {
        class: 'not_found',
        category: 'fixable',
        cause: 'There is no such page.',
        next: 'Nothing to do.',
        recoverable: false,
      }),
    )
    .add(
      'b',
      iteration(2),
      calls(2, '2', 'notes_delete', { page: 'Budget' }),
      asks(2, 'approval_1', '2', 'x'),
    )
    .wait(4000)
    .add('a', { type: 'turn-resume', iteration: 2 })
    .add('b', { type: 'turn-resume', iteration: 2 })
    .add('b', { type: 'approval-answer', iteration: 2, approvalId: 'approval_1', decision: 'allow-once' })
    .add('b', gets(2, '2', 'notes_delete', 'Deleted.'), ends('Saved.'))
    .add('a', gets(2, '2', 'delegate_to_integrations_agent', 'Saved.'))
    .add('a', { type: 'message-deliver', iteration: 3, text: 'And thank you' }, iteration(3))
    .add('a', says(3, 'Saved '), says(3, 'it.'), paid(3, usage(1200, 20, 0.002), usage(2100, 60, 0.003)))
    .add('a', ends('Saved it.', { usage: usage(2100, 60, 0.003), iterations: 3 }))
    .add('c', starts('Another'), iteration(1), says(1, 'Wor')).events
}
