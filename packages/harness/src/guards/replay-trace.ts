import type { CallId, Failure, FailureClass } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { JsonObject } from '../turn/json.ts'
import type { Effect } from '../turn/tool/tool.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import { createDefaultGuards } from './default-guards.ts'
import type { Guard, Verdict } from './guard.ts'

/** A recorded run: the calls of each step and their results. */
export interface Trace {
  readonly id: string
  readonly steps: readonly TraceStep[]
}

/** One reply of the model, with its calls and results. */
export interface TraceStep {
  readonly text: string
  readonly calls: readonly {
    readonly tool: string
    readonly args: JsonObject
    readonly polls?: boolean
    /** The effect of the call. Absent: unknown, which counts as `write`. */
    readonly effect?: Effect
  }[]
  readonly results: readonly {
    readonly ok: boolean
    readonly text: string
    /** The failure class. Absent on a failed call: unknown. */
    readonly class?: string | null
  }[]
}

/** The result of a replay. */
export interface Replay {
  readonly halted: boolean
  readonly guard?: string
  /** The step, counted from 0, at which it was halted. */
  readonly step?: number
  readonly answer?: string
}

/** Shows a trace to the guards in the engine's order, until one of them halts. */
export function replayTrace(trace: Trace, guards: readonly Guard[] = createDefaultGuards()): Replay {
  for (const [step, { text, calls: asked, results }] of trace.steps.entries()) {
    const calls = asked.map((call, index) => toCall(call, `${step}-${index}`))
    const halt = firstHalt(guards, (guard) => guard.beforeCalls?.({ text, calls }))
    if (halt) return { halted: true, step, ...halt }
    for (const [index, call] of calls.entries()) {
      const { polls = false, effect } = asked[index]!
      const result = toResult(call, results[index] ?? { ok: false, text: '' }, effect)
      const finished = { call, result, polls }
      const end = firstHalt(guards, (guard) => guard.afterCall?.(finished))
      if (end) return { halted: true, step, ...end }
    }
  }
  return { halted: false }
}

function firstHalt(
  guards: readonly Guard[],
  ask: (guard: Guard) => Verdict | undefined,
): { readonly guard: string; readonly answer: string } | undefined {
  let halt: { readonly guard: string; readonly answer: string } | undefined
  for (const guard of guards) {
    const verdict = ask(guard)
    if (verdict?.action === 'halt') halt ??= { guard: guard.name, answer: verdict.text }
  }
  return halt
}

const toCall = ({ tool, args }: TraceStep['calls'][number], id: string): ToolCall => ({
  id: id as CallId,
  tool,
  arguments: args,
})

function toResult(call: ToolCall, result: TraceStep['results'][number], effect?: Effect): ToolResult {
  return {
    callId: call.id,
    tool: call.tool,
    ok: result.ok,
    text: result.text,
    ...(effect ? { effect } : undefined),
    ...(result.ok ? undefined : { failure: toFailure(result.class ?? 'unknown', result.text) }),
    durationMs: 0,
    outputBytes: result.text.length,
  }
}

function toFailure(name: string, text: string): Failure {
  const failureClass = Object.hasOwn(FAILURE_CATEGORIES, name) ? (name as FailureClass) : 'unknown'
  const category = FAILURE_CATEGORIES[failureClass]
  return { class: failureClass, category, cause: text, next: '', recoverable: category === 'transient' }
}
