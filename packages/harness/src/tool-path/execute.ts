import type { CallId, WaitsFor } from '@capstan/protocol'
import { endsTheTree } from '../turn/errors.ts'
import { ignore } from '../turn/maybe-promise.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { RunContext } from '../turn/run-context.ts'
import { hasChild } from '../turn/run-context.ts'
import type { JsonObject } from '../turn/json.ts'
import { isThenable } from '../turn/settle-in-time.ts'
import type { Tool, ToolContext } from '../turn/tool/tool.ts'
import { isRepeatable } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import { fillSecrets } from './fill-secrets.ts'
import { drainOutput } from './output-sink.ts'
import type { HeldOutcome } from './output-sink.ts'
import { toOutcome, toThrownOutcome } from './to-outcome.ts'
import type { ToolPath } from './tool-path.ts'

/**
 * Runs a tool under its deadline. A tool that ignores the abort is abandoned after a grace time, and a later result is
 * dropped. One of the two catches in the loop. Never throws for what a tool does; only what ends the whole tree of runs
 * passes through.
 */
export function execute(
  tool: Tool,
  given: unknown,
  call: ToolCall,
  path: ToolPath,
  timeoutMs = tool.timeoutMs ?? path.limits.timeoutMs,
): HeldOutcome | Promise<HeldOutcome> {
  const { run, limits } = path
  if (run.signal.aborted && !hasChild(run, call.id)) return { ...stopped(tool), notStarted: true }
  const filled = fillSecrets(tool, given, path.services.namedSecrets)
  if ('refusal' in filled) return filled.refusal
  const { args } = filled
  const context = new CallContext(call.id, path, tool, args)
  context.holdsSecret = args !== given
  const drain = (output: AsyncIterable<unknown>) =>
    drainOutput(output, { callId: call.id, tool: tool.name }, path, context.signal)
  if (run.signal.aborted) context.abort(new Error(stopped(tool).text))
  const work = start(tool, args, context, drain)
  if (!(work instanceof Promise)) {
    context.isOver = true
    return work
  }

  const startedAt = run.clock.monotonic()
  const leftMs = () =>
    Math.min(
      timeoutMs === false ? Infinity : timeoutMs - (run.clock.monotonic() - startedAt),
      run.budget.remainingMs(),
    )
  const allowedMs = leftMs()
  return new Promise((resolve, reject) => {
    let disarm = () => {}
    const isAgent = tool.resultsFrom === 'agent'
    const stop = (outcome: HeldOutcome, graceMs: number) => {
      disarm()
      context.abort(new Error(outcome.text))
      // It may still end within the grace time; the result of a tool is dropped either way.
      disarm = run.clock.after(isAgent ? graceMs + AGENT_GRACE_MS : graceMs, () => {
        work.then(() => warnOfLateResult(tool), ignore)
        settle(outcome)
      })
      // A sub-agent that ends in time tells what it did.
      const end = (ended: HeldOutcome) => settle(isAgent ? ended : outcome)
      // One that is being parked is ended with the rest of the tree.
      work.then(end, (error: unknown) => (endsTheTree(error) ? pass(error) : settle(outcome)))
    }
    const onAbort = () => stop(stopped(tool), limits.stopGraceMs)
    const letGo = () => {
      context.isOver = true
      disarm()
      run.signal.removeEventListener('abort', onAbort)
    }
    const settle = (outcome: HeldOutcome) => {
      letGo()
      resolve(outcome)
    }
    const pass = (error: unknown) => {
      letGo()
      reject(error)
    }
    // The tool itself may have stopped the turn before the listener was added.
    if (run.signal.aborted) return onAbort()
    run.signal.addEventListener('abort', onAbort, { once: true })
    const arm = (ms: number) => {
      disarm = run.clock.after(ms, () => {
        // The turn's clock is paused while a sub-agent waits for a person.
        const more = leftMs()
        if (more > 0) arm(Math.max(more, LEAST_WAIT_MS))
        else stop(timedOut(tool, allowedMs), limits.graceMs)
      })
    }
    if (allowedMs !== Infinity) arm(allowedMs)
    work.then(
      (outcome) => {
        if (!context.isAborted) settle(outcome)
      },
      (error: unknown) => {
        if (!context.isAborted) pass(error)
      },
    )
  })
}

/** A sub-agent abandons its own tools in time, and then has to record its end. Only one that hangs takes this long. */
const AGENT_GRACE_MS = 5_000

/** The minimum interval for checking a paused clock. */
const LEAST_WAIT_MS = 100

/** The context of a call. The signal is created on first use: most tools never use it. */
class CallContext implements ToolContext {
  readonly callId: CallId
  readonly run: RunContext
  readonly park?: (waitsFor: WaitsFor) => Promise<never>
  readonly spend?: ToolPath['spend']
  holdsSecret = false
  isOver = false
  readonly #tool: Tool
  readonly #args: unknown
  #controller: AbortController | undefined
  #reason: Error | undefined

  constructor(callId: CallId, { run, services: { park }, spend }: ToolPath, tool: Tool, args: unknown) {
    this.callId = callId
    this.#tool = tool
    this.#args = args
    this.run = run
    this.spend = spend
    if (park) this.park = (waitsFor) => park(run, [waitsFor])
  }

  get idempotencyKey(): string {
    return `${this.run.runId}/${this.callId}`
  }

  get isRepeatable(): boolean {
    return isRepeatable(this.#tool, this.#args as JsonObject)
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  get isAborted(): boolean {
    return this.#reason !== undefined
  }

  abort(reason: Error): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}

// A synchronous tool costs no promise and no timer.
function start(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  drain: (output: AsyncIterable<unknown>) => Promise<HeldOutcome>,
): HeldOutcome | Promise<HeldOutcome> {
  const settle = (value: unknown) => (isAsyncIterable(value) ? drain(value) : toOutcome(value))
  try {
    const value = tool.run(args as never, context)
    if (isThenable(value)) return Promise.resolve(value).then(settle).catch(toFailure)
    return isAsyncIterable(value) ? drain(value).catch(toFailure) : toOutcome(value)
  } catch (thrown) {
    return toFailure(thrown)
  }
}

function toFailure(thrown: unknown): ToolOutcome {
  if (endsTheTree(thrown)) throw thrown
  return toThrownOutcome(thrown)
}

function warnOfLateResult({ name }: Tool): void {
  process.emitWarning(`a late result of the tool "${name}" was dropped`, 'CapstanLateResult')
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const timedOut = (tool: Tool, ms: number): ToolOutcome =>
  fail(`"${tool.name}" timed out after ${Math.round(ms / 100) / 10} seconds.`, { timedOut: true })
const stopped = (tool: Tool): ToolOutcome =>
  fail(`"${tool.name}" was stopped before it finished.`, { cancelled: true })
