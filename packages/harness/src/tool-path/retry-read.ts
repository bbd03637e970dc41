import { classifyOutcome } from '../failures/classify.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { Admitted } from './admit-call.ts'
import { execute } from './execute.ts'
import type { HeldOutcome } from './output-sink.ts'
import type { ToolPath } from './tool-path.ts'

/** How long to wait before each new try, and the longest wait a service may ask for. */
const READ_RETRIES = { delaysMs: [500, 1500], maxRetryAfterMs: 30_000 }

/**
 * Runs an admitted call. A read that fails for a passing reason is tried again, at most twice, before anybody hears of
 * it, within the deadline of the call and until the turn is stopped. A write is never tried again.
 */
export function executeCall(
  { tool, args, effect }: Admitted,
  call: ToolCall,
  path: ToolPath,
): HeldOutcome | Promise<HeldOutcome> {
  const mayRetry = effect === 'read' && mayBeTriedAgain(tool)
  const startedAt = path.run.clock.monotonic()
  const first = execute(tool, args, call, path)
  if (!mayRetry) return first
  const again = (outcome: HeldOutcome) => tryAgain(outcome, { tool, args, startedAt }, call, path)
  if (first instanceof Promise) return first.then((outcome) => (outcome.ok ? outcome : again(outcome)))
  return first.ok ? first : again(first)
}

/** Tools without a deadline of their own wait for agents and people, and those that poll are repeated by the model. */
const mayBeTriedAgain = ({ timeoutMs, polls, endsTurn }: Tool): boolean =>
  timeoutMs !== false && !polls && !endsTurn

interface Attempt {
  readonly tool: Tool
  readonly args: unknown
  readonly startedAt: number
}

async function tryAgain(
  first: HeldOutcome,
  { tool, args, startedAt }: Attempt,
  call: ToolCall,
  path: ToolPath,
): Promise<HeldOutcome> {
  const { run, limits } = path
  const allowedMs = (tool.timeoutMs || limits.timeoutMs) + startedAt
  const leftMs = () => Math.min(allowedMs - run.clock.monotonic(), run.budget.remainingMs())
  let outcome = first
  let tries = 1
  for (const delayMs of READ_RETRIES.delaysMs) {
    const waitMs = waitBefore(outcome, tool, delayMs)
    if (waitMs === undefined || waitMs >= leftMs()) break
    await pause(waitMs, path)
    if (run.signal.aborted) break
    tries++
    outcome = await execute(tool, args, call, path, leftMs())
    if (outcome.ok) return outcome
  }
  return tries === 1 ? outcome : { ...outcome, tries }
}

/** How long to wait before the next try. Undefined: another try would not help. */
function waitBefore(outcome: HeldOutcome, { name }: Tool, delayMs: number): number | undefined {
  // A failure that is already classified comes from a sub-agent. A host without an address has none a second later.
  if (outcome.failure || outcome.cancelled || outcome.errorCode === 'ENOTFOUND') return undefined
  const { recoverable, retryAfterMs = 0 } = classifyOutcome({ ...outcome, tool: name })
  if (!recoverable || retryAfterMs > READ_RETRIES.maxRetryAfterMs) return undefined
  return Math.max(delayMs, retryAfterMs)
}

function pause(ms: number, { run: { clock, signal } }: ToolPath): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      disarm()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const disarm = clock.after(ms, end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
