import { hash, randomBytes } from 'node:crypto'
import type { ApprovalDecision, ApprovalReason, Origin } from '@capstan/protocol'
import type { ApprovalAnswer, ApprovalGate } from '../ports/approval-gate.ts'
import { canonicalJson, digestCall } from '../turn/digest.ts'
import { endsTheTree } from '../turn/errors.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { appOf } from '../turn/tool/tool.ts'
import { scrubValue } from './scrub-value.ts'
import { toLabel } from './to-label.ts'
import type { ToolPath } from './tool-path.ts'

/** Origins where a person can be asked. For any other origin a call that needs approval is refused. */
const ATTENDED: ReadonlySet<Origin> = new Set(['web', 'cli'])

/** A call that a person is asked about. */
export interface Question {
  readonly call: ToolCall
  readonly target: Target & { readonly tool: Tool }
  readonly effect: Effect
  /** Set when the data-flow rule asks. */
  readonly reason?: ApprovalReason
}

/**
 * Asks a person to approve exactly this call. A call that was refused in this turn is refused again without asking, and
 * an approval that was requested before a wait is not requested again. Any error is a refusal; only what ends the whole
 * tree of runs is thrown.
 */
export async function askApproval(question: Question, path: ToolPath): Promise<ToolOutcome | undefined> {
  const { target } = question
  try {
    return await path.run.refusals.oneAtATime(() => getYes(question, path))
  } catch (error) {
    if (endsTheTree(error)) {
      path.run.refusals.noteParked(path.run.runId, error)
      throw error
    }
    return refused(target, 'policy', 'it needs an approval, and asking for one failed')
  }
}

async function getYes(question: Question, path: ToolPath): Promise<ToolOutcome | undefined> {
  const { call, target } = question
  const { run } = path
  const { approvals } = path.services
  run.refusals.throwIfParked(run.runId)
  const signature = toSignature(target)
  if (run.signal.aborted) return stopped(target)
  if (run.refusals.covers(target.name, signature)) return refused(target, 'user', ALREADY_REFUSED)
  if (!ATTENDED.has(run.origin)) {
    return refused(
      target,
      'policy',
      `it needs an approval, and nobody can be asked here (origin: ${run.origin})`,
    )
  }
  if (!approvals) return refused(target, 'policy', 'it needs an approval, and no approvals are set up')
  const digest = digestCall(target.name, target.arguments)
  const before = await approvals.find?.(run.runId, call.id)
  if (before && (before.digest !== digest || !before.isIntact)) {
    // The request is withdrawn from screens that show it.
    if (!before.isAnnounced) await reportAnswer(before.id, 'expired', path)
    return refused(target, 'policy', NOT_AS_ASKED)
  }
  if (!before && (await grantCovers(question, approvals))) return undefined

  const answer = before
    ? await waitFor(before.id, approvals, path, { isAnnounced: before.isAnnounced })
    : await ask(question, { digest, signature }, approvals, path)
  switch (answer.decision) {
    case 'allow-once':
    case 'allow-always':
      if (answer.digest === digest) return undefined
      return refused(target, 'policy', 'the approval was given for other arguments')
    case 'deny':
      run.refusals.add(target.name, signature)
      return refused(target, 'user', 'the user said no')
    case 'expired':
    default: // a custom gate may return anything; only an explicit permission counts
      if (run.signal.aborted) return stopped(target)
      run.refusals.add(target.name, signature)
      return refused(target, 'expiry', 'nobody answered in time')
  }
}

/**
 * Whether an earlier answer of the user covers this call. A plain "always" does not silence the data-flow rule: it was
 * given for the tool, not for the place where this call would send something.
 */
function grantCovers({ target, reason }: Question, approvals: ApprovalGate): MaybePromise<boolean> {
  return reason ? false : approvals.isAlwaysAllowed(target.name)
}

async function ask(
  { call, target, effect, reason }: Question,
  { digest, signature }: { readonly digest: string; readonly signature: string },
  approvals: ApprovalGate,
  path: ToolPath,
): Promise<ApprovalAnswer> {
  const { run, iteration, services } = path
  const id = `approval_${randomBytes(12).toString('base64url')}`
  const createdAt = run.clock.now()
  const { label } = toLabel(target, services.secrets)
  const shown = {
    callId: call.id,
    tool: target.name,
    label,
    // A copy: changing the shown arguments must not change what runs.
    arguments: structuredClone(scrubValue(target.arguments, services.secrets)),
    digest,
    expiresAt: createdAt + approvals.timeoutMs,
    ...(reason ? { reason: scrubValue(reason, services.secrets) as ApprovalReason } : undefined),
  }
  await approvals.open({ ...shown, id, signature, threadId: run.threadId, runId: run.runId, createdAt })
  const app = appOf(target.tool, target.arguments)
  const more = {
    ...(effect === 'read' ? undefined : { effect }),
    ...(app ? { app } : undefined),
  }
  await run.report({ type: 'approval-request', iteration, approvalId: id, ...shown, ...more })
  return waitFor(id, approvals, path, { isAnnounced: false })
}

async function waitFor(
  id: string,
  approvals: ApprovalGate,
  path: ToolPath,
  { isAnnounced }: { readonly isAnnounced: boolean },
): Promise<ApprovalAnswer> {
  const { run } = path
  // The time a person needs does not count for the turn.
  const resume = run.budget.pause()
  let answer: ApprovalAnswer
  try {
    answer = await firstOf(approvals.wait(id, run), run.signal)
  } catch (error) {
    if (endsTheTree(error)) throw error
    answer = { decision: 'expired', digest: '' }
  } finally {
    resume()
  }
  if (!isAnnounced) await reportAnswer(id, answer.decision, path)
  return answer
}

async function reportAnswer(approvalId: string, decision: ApprovalDecision, path: ToolPath): Promise<void> {
  await path.run.report({ type: 'approval-answer', iteration: path.iteration, approvalId, decision })
}

/** The answer, or a rejection when the turn is stopped first, even if the gate ignores the signal. */
function firstOf(answer: Promise<ApprovalAnswer>, signal: AbortSignal): Promise<ApprovalAnswer> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error('the turn was stopped'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The call without cosmetic differences: another spelling is the same call. */
function toSignature({ name, arguments: args }: Target): string {
  const essence = canonicalJson(args)
    .toLowerCase()
    .replaceAll(/\\[nrt]|\s+/g, '')
  return hash('sha256', `${name} ${essence}`)
}

const NOT_AS_ASKED = 'what was asked is not what would run now'
const ALREADY_REFUSED = 'this was refused before in this turn, and asking again does not change that'

function refused({ name }: Target, deniedBy: 'user' | 'policy' | 'expiry', why: string): ToolOutcome {
  return fail(`"${name}" was not run: ${why}. Do not try it another way; tell the user.`, { deniedBy })
}

const stopped = ({ name }: Target): ToolOutcome =>
  fail(`"${name}" was not run: the turn was stopped before anybody answered.`, { cancelled: true })
