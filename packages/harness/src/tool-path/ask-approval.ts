import { hash, randomBytes } from 'node:crypto'
import type {
  ApprovalDecision,
  ApprovalReason,
  GrantBinding,
  GrantConstraints,
  Origin,
} from '@capstan/protocol'
import type { ApprovalAnswer, ApprovalGate } from '../ports/approval-gate.ts'
import { canonicalJson, digestRequest } from '../turn/digest.ts'
import { endsTheTree } from '../turn/errors.ts'
import { suggestConstraints } from '../turn/grant/constraints.ts'
import { grantCovers } from '../turn/grant/grant.ts'
import { destinationsOf, toBinding } from '../turn/grant/to-binding.ts'
import type { JsonObject } from '../turn/json.ts'
import { ignore } from '../turn/maybe-promise.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Effect, Tool } from '../turn/tool/tool.ts'
import { isUnattended, needsPerson } from '../turn/unattended.ts'
import { findHidden } from './hidden-values.ts'
import { scrubValue } from './scrub-value.ts'
import { toLabel } from './to-label.ts'
import type { ToolPath } from './tool-path.ts'

/** Origins where a person can be asked at once. */
const ATTENDED: ReadonlySet<Origin> = new Set(['web', 'cli'])

/** Whether there is somebody to ask: at once, or later, if the turn can be parked until then. */
const hasSomebody = ({ run: { origin }, services }: ToolPath): boolean =>
  ATTENDED.has(origin) || (isUnattended(origin) && services.park !== undefined)

/** Whether a person can be asked here. Otherwise a call that needs approval is refused. */
export const canAsk = (path: ToolPath): boolean => hasSomebody(path) && path.services.approvals !== undefined

/** Whether a person was asked about this call before a wait. */
export async function wasAsked(
  { id }: ToolCall,
  { run, services: { approvals } }: ToolPath,
): Promise<boolean> {
  try {
    return (await approvals?.find?.(run.runId, id)) !== undefined
  } catch {
    return true // the request fails too, and reports it
  }
}

/** A call that a person is asked about. */
export interface Question {
  readonly call: ToolCall
  readonly target: Target & { readonly tool: Tool }
  readonly effect: Effect
  /** Set when the data-flow rule asks. */
  readonly reason?: ApprovalReason
  /** The same write has succeeded in this turn. */
  readonly isRepeat?: true
}

/**
 * Asks a person to approve exactly this call, unless a grant covers it. A call that was refused in this turn is refused
 * again without asking, and an approval that was requested before a wait is not requested again. Any error is a refusal;
 * only what ends the whole tree of runs is thrown.
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

/** Whether an earlier question or refusal may bind this call. Quick: most calls are bound by nothing. */
export function mayBeBound({ id }: ToolCall, { run, services: { approvals } }: ToolPath): boolean {
  if (!run.refusals.isEmpty) return true
  const asked = approvals?.find?.(run.runId, id)
  if (asked instanceof Promise) asked.catch(ignore) // it is looked up again, and fails there
  return asked !== undefined
}

/**
 * Whether a person was asked about this very call, or refused an equivalent one in this turn. Then their answer counts,
 * also when the settings would allow the call now.
 */
export async function isBound({ call, target }: Question, path: ToolPath): Promise<boolean> {
  const { run } = path
  if (!run.refusals.isEmpty && run.refusals.covers(target.name, toSignature(target))) return true
  return wasAsked(call, path)
}

async function getYes(question: Question, path: ToolPath): Promise<ToolOutcome | undefined> {
  const { call, target, effect, reason, isRepeat } = question
  const { run } = path
  const { approvals } = path.services
  run.refusals.throwIfParked(run.runId)
  const signature = toSignature(target)
  if (run.signal.aborted) return stopped(target)
  const before = await approvals?.find?.(run.runId, call.id)
  if (run.refusals.covers(target.name, signature)) {
    if (before && !before.isAnnounced) await reportAnswer(before.id, 'deny', path)
    return refused(target, 'user', ALREADY_REFUSED)
  }
  if (!hasSomebody(path)) {
    return refused(
      target,
      'policy',
      `it needs an approval, and nobody can be asked here (origin: ${run.origin})`,
    )
  }
  if (!approvals) return refused(target, 'policy', 'it needs an approval, and no approvals are set up')
  const binding = toBinding(target.tool, target.arguments, effect)
  // A question of an older version has no binding, and its digest is only of the tool and its arguments.
  const digest = digestRequest(target.name, target.arguments, before ? before.binding && binding : binding)
  if (before && (before.digest !== digest || !before.isIntact)) {
    // The request is withdrawn from screens that show it.
    if (!before.isAnnounced) await reportAnswer(before.id, 'expired', path)
    return refused(target, 'policy', NOT_AS_ASKED)
  }
  if (
    !before &&
    // A grant was given for the action, not for doing the same twice.
    !isRepeat &&
    // Nor for what happens while nobody looks.
    !needsPerson(run.origin, effect) &&
    (await hasGrant(target, binding, approvals, path, { needsConstraint: reason !== undefined }))
  )
    return undefined

  const answer = before
    ? await waitFor(before.id, approvals, path, { isAnnounced: before.isAnnounced })
    : await ask(question, { digest, signature, binding }, approvals, path)
  switch (answer.decision) {
    case 'allow-once':
    case 'allow-thread':
    case 'allow-hour':
    case 'allow-always':
      if (answer.digest === digest) return undefined
      return refused(target, 'policy', 'the approval was given for other arguments')
    case 'deny':
      run.refusals.add(target.name, signature)
      return refused(target, 'user', 'the user said no')
    case 'withdrawn': // a crash came between the end of the turn and its record
      return stopped(target)
    case 'expired':
    default: // a custom gate may return anything; only an explicit permission counts
      if (run.signal.aborted) return stopped(target)
      run.refusals.add(target.name, signature)
      return refused(target, 'expiry', 'nobody answered in time')
  }
}

/**
 * Whether a grant covers this call. The gate finds it; it is checked here again, because a gate may be anybody's. Under
 * the data-flow rule only a grant that names the destination counts: a plain "always" was given for the tool, not for
 * the place where this call would send something.
 */
async function hasGrant(
  target: Question['target'],
  binding: GrantBinding,
  approvals: ApprovalGate,
  { run }: ToolPath,
  options: { readonly needsConstraint: boolean },
): Promise<boolean> {
  if (binding.effect === 'admin') return false
  const call = {
    tool: target.name,
    binding,
    threadId: run.threadId,
    destinations: destinationsOf(target.tool, binding.effect, target.arguments),
  }
  const query = { now: run.clock.now(), ...options }
  const grant = await approvals.findGrant(call, query)
  return grant !== undefined && grantCovers(grant, call, query)
}

/** What is asked besides the arguments. */
interface Terms {
  readonly digest: string
  readonly signature: string
  readonly binding: GrantBinding
}

async function ask(
  { call, target, isRepeat, reason = isRepeat && { kind: 'repeat' } }: Question,
  { digest, signature, binding }: Terms,
  approvals: ApprovalGate,
  path: ToolPath,
): Promise<ApprovalAnswer> {
  const { run, iteration, services } = path
  const id = `approval_${randomBytes(12).toString('base64url')}`
  const createdAt = run.clock.now()
  const { label } = toLabel(target, services.secrets)
  const args = scrubValue(target.arguments, services.secrets)
  const hidden = findHidden(target.arguments, args)
  const limits = limitsOf(target, binding, args)
  const shown = {
    callId: call.id,
    tool: target.name,
    label,
    // A copy: changing the shown arguments must not change what runs.
    arguments: structuredClone(args),
    ...(limits.length > 0 && { limits }),
    ...(hidden.length > 0 && { hidden }),
    digest,
    expiresAt: createdAt + approvals.timeoutMs,
    ...(reason ? { reason: scrubValue(reason, services.secrets) as ApprovalReason } : undefined),
  }
  const place = { threadId: run.threadId, runId: run.runId, createdAt }
  await approvals.open({ ...shown, id, signature, binding, ...place })
  const more = {
    effect: binding.effect,
    ...(binding.app && { app: binding.app }),
    ...(run.depth > 0 && { agent: run.name ?? run.agent }),
  }
  await run.report({ type: 'approval-request', iteration, approvalId: id, ...shown, ...more })
  return waitFor(id, approvals, path, { isAnnounced: false })
}

/** The constraints that are suggested. None for a destination that is hidden: a pattern would show it. */
function limitsOf(
  { tool, arguments: exact }: Question['target'],
  { effect }: GrantBinding,
  shown: unknown,
): readonly GrantConstraints[] {
  if (effect === 'admin') return []
  const destinations = destinationsOf(tool, effect, exact)
  const isShown =
    canonicalJson(destinationsOf(tool, effect, shown as JsonObject)) === canonicalJson(destinations)
  return isShown ? suggestConstraints(destinations) : []
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
