import { notice } from '../context/notices.ts'
import type { Verdict } from '../guards/guard.ts'
import { surelyReads } from '../tool-path/judge-effect.ts'
import { decide } from '../tool-path/policy.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import type { CallRecord, ToolPath } from '../tool-path/tool-path.ts'
import type { ToolMessage } from '../turn/message/message.ts'
import { hasChild } from '../turn/run-context.ts'
import { toSideEffect } from '../turn/side-effects.ts'
import type { ResolvedCall } from '../turn/tool/resolve-call.ts'
import { resolveCall } from '../turn/tool/resolve-call.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import { countUsage } from './stream-reply.ts'
import { createResultSummariser } from './result-summariser.ts'
import type { Ending, Turn } from './turn.ts'
import { append, notifyObservers } from './turn.ts'

interface Reply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Runs the calls of one reply down the tool path: adjacent reads together, every other call alone and in order. Results
 * join the history in the order asked, then the guards see them. Every call gets a result, also in a batch that is cut
 * short. `past` holds the results and outcomes from before an interruption; those calls are not run again.
 */
export async function runToolCalls(
  turn: Turn,
  reply: Reply,
  surface: Surface,
  iteration: number,
  past: PastBatch = NEVER_RUN,
): Promise<{ readonly ending?: Ending }> {
  const { run, limits, state } = turn
  const record = turn.observers.length === 0 ? undefined : recordFor(turn)
  const spend: ToolPath['spend'] = (usage, model) => countUsage(turn, usage, iteration, 0, model)
  const summarise = createResultSummariser(turn)
  const path: ToolPath = {
    run,
    surface,
    iteration,
    limits: limits.tools,
    services: turn.services,
    sees: turn.model.abilities,
    ...(summarise ? { summarise } : undefined),
    mediaLimits: limits.media,
    record,
    spend,
  }
  const nudges: Nudge[] = []
  let ending = consultGuards(turn, (guard) => guard.beforeCalls?.(reply), nudges)
  const allowed = (limits.maxCalls ?? Math.max(8, limits.maxIterations * 8)) - state.calls
  const runnable = ending ? [] : reply.calls.slice(0, allowed)
  const runOne = ({ call, target }: NextCall) => {
    const unknown = past.unknownOutcomeOf(call)
    const instead = unknown && !past.mayRepeat(call) ? unknown : undefined
    return past.resultOf(call) ?? runToolCall(call, path, instead, target, unknown)
  }
  let next = 0
  while (next < runnable.length && !ending && !run.signal.aborted) {
    const group = nextGroup(runnable, next, turn, surface)
    next += group.length
    state.calls += group.length
    const results =
      group.length === 1 ? [await runOne(group[0]!)] : await together(group.map(async (one) => runOne(one)))
    for (let index = 0; index < results.length; index++) {
      const { call, target } = group[index]!
      const result = results[index]!
      addResult(turn, call, result)
      const finished = { call, result, polls: polls(target) }
      if (!past.resultOf(call)) noteSideEffect(turn, result)
      ending ??= consultGuards(turn, (guard) => guard.afterCall?.(finished), nudges, result)
      if (result.endsTurn) ending ??= toQuestion(result)
    }
  }
  const reason =
    next < runnable.length || ending ? 'the turn ended before its turn came' : 'too many calls in one turn'
  for (const call of reply.calls.slice(next)) {
    // A sub-agent that waits below this call must end, too, and tell what it did: running the call stops it.
    const presetOutcome = hasChild(run, call.id) ? undefined : (past.unknownOutcomeOf(call) ?? notRun(reason))
    const before = past.resultOf(call)
    const result = before ?? (await runToolCall(call, path, presetOutcome))
    addResult(turn, call, result)
    if (!before) noteSideEffect(turn, result)
  }
  // One nudge is enough, and after the end no model call reads it.
  for (const { guard, text } of ending ? [] : nudges.slice(0, 1)) {
    await append(turn, notice(text))
    await run.report({ type: 'guard-nudge', iteration, guard, text })
  }
  // A stop wins: to a guard, stopped calls look like failures, and a question needs a person to answer it.
  return ending && !run.signal.aborted ? { ending } : {}
}

/** What the ledger holds about the calls of an interrupted reply. */
export interface PastBatch {
  resultOf(call: ToolCall): ToolResult | undefined
  /** The outcome of a call that had been started, unless it is run again. */
  unknownOutcomeOf(call: ToolCall): ToolOutcome | undefined
  /** Whether such a call may run again. */
  mayRepeat(call: ToolCall): boolean
}

const NEVER_RUN: PastBatch = {
  resultOf: () => undefined,
  unknownOutcomeOf: () => undefined,
  mayRepeat: () => true,
}

/** Waits for all calls, also when one rejects, so that the results of the others are recorded. */
async function together(calls: readonly Promise<ToolResult>[]): Promise<readonly ToolResult[]> {
  const settled = await Promise.allSettled(calls)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

function recordFor(turn: Turn): CallRecord {
  return {
    starting: (call, intent) =>
      notifyObservers(turn, (observer) => observer.callStarting?.(turn.run, call, intent)),
    finished(call, target, result, audit) {
      const message = toToolMessage(turn, call, result)
      const finished = { call, result, message, audit, polls: polls(target) }
      return notifyObservers(turn, (observer) => observer.callFinished?.(turn.run, finished))
    },
  }
}

const polls = ({ tool }: ResolvedCall): boolean => tool?.polls === true

interface NextCall {
  readonly call: ToolCall
  readonly target: ResolvedCall
}

/**
 * The calls that run next: consecutive reads together, up to the limit; every other call alone. It is made when its turn
 * comes, because the results before it may decide whether a read has to ask.
 */
function nextGroup(calls: readonly ToolCall[], from: number, turn: Turn, surface: Surface): NextCall[] {
  const resolve = (call: ToolCall): NextCall => ({ call, target: resolveCall(call, surface) })
  const group = [resolve(calls[from]!)]
  if (calls.length === 1 || !mayRunBeside(group[0]!.target, turn)) return group
  for (const call of calls.slice(from + 1, from + turn.limits.parallelReads)) {
    const other = resolve(call)
    if (!mayRunBeside(other.target, turn)) break
    group.push(other)
  }
  return group
}

/** A read that asks nobody. A call that needs a person may park the run, and no other call may run beside it then. */
function mayRunBeside(target: ResolvedCall, { services, run }: Turn): boolean {
  const { tool, arguments: args } = target
  if (!tool || tool.endsTurn || tool.alone || !surelyReads(tool, target)) return false
  if (decide(services.policy, tool.name, 'read').type === 'ask') return false
  return !run.flow.concerns(tool, 'read') || run.flow.judge({ tool, effect: 'read', args }).type === 'allow'
}

function noteSideEffect({ run }: Turn, result: ToolResult): void {
  const changed = toSideEffect(run.runId, result)
  if (changed) run.sideEffects.add(changed)
}

/** Adds the result to the history. Observers already got it in `callFinished`. */
function addResult(turn: Turn, call: ToolCall, result: ToolResult): void {
  turn.state.results.push(result)
  turn.conversation.history.append(toToolMessage(turn, call, result))
}

function toToolMessage(
  turn: Turn,
  call: ToolCall,
  { callId, ok, text, from, own, media }: ToolResult,
): ToolMessage {
  return {
    role: 'tool',
    callId,
    tool: call.tool,
    ok,
    text,
    from,
    own,
    media,
    inText: isInText(turn, call) ? true : undefined,
  }
}

/** Whether the provider got this call as text: then it must get the result as text, too. */
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
 * Asks every guard. The first halt ends the turn and resets all guards, so that a continued run does not halt at once.
 * Nudges are collected.
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
