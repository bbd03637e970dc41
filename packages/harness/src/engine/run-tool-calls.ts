import { notice } from '../context/notices.ts'
import type { FinishedCall, Verdict } from '../guards/guard.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import type { ToolPath } from '../tool-path/tool-path.ts'
import type { Surface } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'
import type { ToolResult } from '../turn/tool-result.ts'
import { effectOf } from '../turn/tool.ts'
import type { Ending, Turn } from './turn.ts'
import { append, tell } from './turn.ts'

interface Reply {
  readonly text: string
  readonly calls: readonly ToolCall[]
}

/**
 * Runs the calls of one reply down the tool path: reads that stand together at once, everything else alone and
 * in order. Results join the history in the order asked, then the guards see them. A batch cut short leaves no
 * call without a result.
 */
export async function runToolCalls(
  turn: Turn,
  reply: Reply,
  surface: Surface,
  iteration: number,
): Promise<{ readonly ending?: Ending }> {
  const { run, limits, tally } = turn
  const path: ToolPath = { run, surface, iteration, limits: limits.tools, services: turn.services }
  const nudges: Nudge[] = []
  let ending = heed(turn, (guard) => guard.beforeCalls?.(reply), nudges)
  const allowed = (limits.maxCalls ?? Math.max(8, limits.maxIterations * 8)) - tally.calls
  const runnable = ending ? [] : reply.calls.slice(0, allowed)
  let next = 0
  for (const group of groupCalls(runnable, surface, limits.parallelReads)) {
    if (run.signal.aborted) break
    next += group.length
    tally.calls += group.length
    const results = group.length === 1 ? [await runToolCall(group[0]!, path)] : await runTogether(group, path)
    for (let index = 0; index < results.length; index++) {
      const call = group[index]!
      const result = results[index]!
      const slow = addResult(turn, call, result)
      if (slow) await slow
      const { tool, arguments: args } = surface.resolve(call)
      const effect = tool && effectOf(tool, args)
      const finished: FinishedCall = { call, result, polls: tool?.polls === true, effect }
      ending ??= heed(turn, (guard) => guard.afterCall?.(finished), nudges, result)
      if (result.endsTurn) ending ??= toQuestion(result)
    }
    if (ending) break
  }
  const reason =
    next < runnable.length || ending ? 'the turn ended before its turn came' : 'too many calls in one turn'
  for (const call of reply.calls.slice(next)) {
    await addResult(turn, call, await runToolCall(call, path, notRun(reason)))
  }
  // One word is enough, and after the end there is nobody to hear it.
  for (const { guard, text } of ending ? [] : nudges.slice(0, 1)) {
    await append(turn, notice(text))
    await run.report({ type: 'guard-nudge', iteration, guard, text })
  }
  // A stop wins: calls that were stopped look like failures to a guard, and a question needs somebody to answer it.
  return ending && !run.signal.aborted ? { ending } : {}
}

function runTogether(group: readonly ToolCall[], path: ToolPath): Promise<readonly ToolResult[]> {
  return Promise.all(group.map((call) => runToolCall(call, path)))
}

/** Consecutive reads together, at most `width` of them; every other call by itself. */
function groupCalls(calls: readonly ToolCall[], surface: Surface, width: number): readonly ToolCall[][] {
  if (calls.length === 1) return [[calls[0]!]]
  const groups: ToolCall[][] = []
  let reads: ToolCall[] | undefined
  for (const call of calls) {
    const { tool, arguments: args } = surface.resolve(call)
    const isRead = tool !== undefined && !tool.endsTurn && !tool.alone && effectOf(tool, args) === 'read'
    if (isRead && reads && reads.length < width) reads.push(call)
    else {
      const group = [call]
      groups.push(group)
      reads = isRead ? group : undefined
    }
  }
  return groups
}

function addResult(turn: Turn, call: ToolCall, result: ToolResult): void | Promise<void> {
  const { callId, ok, text, media } = result
  turn.tally.results.push(result)
  const inText = isInText(turn, call) ? true : undefined
  const add = () => append(turn, { role: 'tool', callId, tool: call.tool, ok, text, media, inText })
  const recording = tell(turn, (observer) => observer.callFinished?.(turn.run, call, result))
  return recording ? recording.then(add) : add()
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
function heed(
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
        ...(result?.failure ? { failure: result.failure } : undefined),
      }
    }
  }
  if (ending) for (const guard of turn.guards) guard.reset?.()
  return ending
}
