import { notice } from '../context/notices.ts'
import type { Verdict } from '../guards/guard.ts'
import { decide } from '../tool-path/policy.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import type { CallRecord, ToolPath } from '../tool-path/tool-path.ts'
import type { ToolMessage } from '../turn/message.ts'
import { hasOpenChild } from '../turn/run-context.ts'
import type { Surface } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'
import type { ToolResult } from '../turn/tool-result.ts'
import type { Effect } from '../turn/tool.ts'
import { effectOf } from '../turn/tool.ts'
import { countUsage } from './stream-reply.ts'
import type { Ending, Turn } from './turn.ts'
import { append, notifyObservers } from './turn.ts'

interface Reply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Runs the calls of one reply down the tool path: reads that stand together at once, everything else alone and
 * in order. Results join the history in the order asked, then the guards see them. A batch cut short leaves no
 * call without a result. `past`: what is known of the reply from before an interruption; nothing in it is run again.
 */
export async function runToolCalls(
  turn: Turn,
  reply: Reply,
  surface: Surface,
  iteration: number,
  past: PastBatch = NEVER_RUN,
): Promise<{ readonly ending?: Ending }> {
  const { run, limits, state } = turn
  const record = turn.observers.length === 0 ? undefined : recordFor(turn, surface)
  const spend: ToolPath['spend'] = (usage, model) => countUsage(turn, usage, iteration, 0, model)
  const path: ToolPath = {
    run,
    surface,
    iteration,
    limits: limits.tools,
    services: turn.services,
    sees: turn.model.abilities,
    mediaLimits: limits.media,
    record,
    spend,
  }
  const nudges: Nudge[] = []
  let ending = consultGuards(turn, (guard) => guard.beforeCalls?.(reply), nudges)
  const allowed = (limits.maxCalls ?? Math.max(8, limits.maxIterations * 8)) - state.calls
  const runnable = ending ? [] : reply.calls.slice(0, allowed)
  const runOne = (call: ToolCall) =>
    past.resultOf(call) ?? runToolCall(call, path, past.presetOutcomeOf(call))
  let next = 0
  for (const group of groupCalls(runnable, turn, surface)) {
    if (run.signal.aborted) break
    next += group.length
    state.calls += group.length
    const results =
      group.length === 1 ? [await runOne(group[0]!)] : await together(group.map(async (call) => runOne(call)))
    for (let index = 0; index < results.length; index++) {
      const call = group[index]!
      const result = results[index]!
      addResult(turn, call, result)
      const finished = { call, result, ...factsOf(call, surface) }
      ending ??= consultGuards(turn, (guard) => guard.afterCall?.(finished), nudges, result)
      if (result.endsTurn) ending ??= toQuestion(result)
    }
    if (ending) break
  }
  const reason =
    next < runnable.length || ending ? 'the turn ended before its turn came' : 'too many calls in one turn'
  for (const call of reply.calls.slice(next)) {
    // A sub-agent that was waiting below it must come to an end, too: it is stopped, and says so itself.
    const presetOutcome = hasOpenChild(run, call.id)
      ? undefined
      : (past.presetOutcomeOf(call) ?? notRun(reason))
    addResult(turn, call, past.resultOf(call) ?? (await runToolCall(call, path, presetOutcome)))
  }
  // One nudge is enough, and after the end there is no model call to read it.
  for (const { guard, text } of ending ? [] : nudges.slice(0, 1)) {
    await append(turn, notice(text))
    await run.report({ type: 'guard-nudge', iteration, guard, text })
  }
  // A stop wins: calls that were stopped look like failures to a guard, and a question needs somebody to answer it.
  return ending && !run.signal.aborted ? { ending } : {}
}

/** What is known of the calls of a reply that was interrupted. */
export interface PastBatch {
  resultOf(call: ToolCall): ToolResult | undefined
  /** How a call ends that must not be run again. */
  presetOutcomeOf(call: ToolCall): ToolOutcome | undefined
}

const NEVER_RUN: PastBatch = { resultOf: () => undefined, presetOutcomeOf: () => undefined }

/** All of them, also when one does not come back: the others are finished, and their results are recorded. */
async function together(calls: readonly Promise<ToolResult>[]): Promise<readonly ToolResult[]> {
  const settled = await Promise.allSettled(calls)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

function recordFor(turn: Turn, surface: Surface): CallRecord {
  return {
    starting: (call, intent) =>
      notifyObservers(turn, (observer) => observer.callStarting?.(turn.run, call, intent)),
    finished(call, result, audit) {
      const message = toToolMessage(turn, call, result)
      const finished = { call, result, message, audit, ...factsOf(call, surface) }
      return notifyObservers(turn, (observer) => observer.callFinished?.(turn.run, finished))
    },
  }
}

function factsOf(call: ToolCall, surface: Surface): { polls: boolean; effect: Effect | undefined } {
  const { tool, arguments: args } = surface.resolve(call)
  return { polls: tool?.polls === true, effect: tool && effectOf(tool, args) }
}

/** Consecutive reads together, so many at once; every other call by itself. */
function groupCalls(calls: readonly ToolCall[], turn: Turn, surface: Surface): readonly ToolCall[][] {
  const width = turn.limits.parallelReads
  if (calls.length === 1) return [[calls[0]!]]
  const groups: ToolCall[][] = []
  let reads: ToolCall[] | undefined
  for (const call of calls) {
    const { tool, arguments: args } = surface.resolve(call)
    const isRead =
      tool !== undefined &&
      !tool.endsTurn &&
      !tool.alone &&
      effectOf(tool, args) === 'read' &&
      // Whoever asks a person may have to wait, and nobody waits with it.
      decide(turn.services.policy, tool.name, 'read').type !== 'ask'
    if (isRead && reads && reads.length < width) reads.push(call)
    else {
      const group = [call]
      groups.push(group)
      reads = isRead ? group : undefined
    }
  }
  return groups
}

/** Observers have had it from `callFinished`. */
function addResult(turn: Turn, call: ToolCall, result: ToolResult): void {
  turn.state.results.push(result)
  turn.conversation.history.append(toToolMessage(turn, call, result))
}

function toToolMessage(turn: Turn, call: ToolCall, { callId, ok, text, media }: ToolResult): ToolMessage {
  return {
    role: 'tool',
    callId,
    tool: call.tool,
    ok,
    text,
    media,
    inText: isInText(turn, call) ? true : undefined,
  }
}

/** Whether the provider saw this call as text: then it must see the result as text, too. */
function isInText({ conversation, parser }: Turn, call: ToolCall): boolean {
  if (parser.dialect !== 'native') return true
  const asked = conversation.history.messages.findLast((message) => message.role === 'assistant')
  return asked?.role === 'assistant' && asked.raw !== undefined && call.extras === undefined
}

function toQuestion({ text, callId }: ToolResult): Ending {
  return { type: 'needs-input', text: text.trim() === '' ? 'What should I do next?' : text, callId }
}

const notRun = (reason: string): ToolOutcome => fail(`not run, because ${reason}.`, { cancelled: true })

interface Nudge {
  readonly guard: string
  readonly text: string
}

/**
 * Asks every guard. The first that halts ends the turn, and all begin anew, so that a resumed run does not stop at
 * once; words to the model are collected.
 */
function consultGuards(
  turn: Turn,
  ask: (guard: Turn['guards'][number]) => Verdict | undefined,
  nudges: Nudge[],
  result?: ToolResult,
): Ending | undefined {
  let ending: Ending | undefined
  for (const guard of turn.guards) {
    const verdict = ask(guard)
    if (verdict?.action === 'nudge') nudges.push({ guard: guard.name, text: verdict.text })
    else if (verdict) {
      ending ??= {
        type: 'halted',
        guard: guard.name,
        text: verdict.text,
        ...verdict.facts,
        ...(result?.failure ? { failure: result.failure } : undefined),
      }
    }
  }
  if (ending) for (const guard of turn.guards) guard.reset?.()
  return ending
}
