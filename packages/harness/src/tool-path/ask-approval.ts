import { randomBytes } from 'node:crypto'
import type { Origin } from '@capstan/protocol'
import type { ApprovalAnswer, ApprovalGate } from '../ports/approval-gate.ts'
import { canonicalJson, digestCall } from '../turn/digest.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Target } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'
import { scrubValue } from './scrub-value.ts'
import { toLabel } from './to-label.ts'
import type { ToolPath } from './tool-path.ts'

/** Where a person can be asked. Every other origin is refused what would need one. */
const ATTENDED: ReadonlySet<Origin> = new Set(['web', 'cli'])

/**
 * Gets a person's yes for exactly this call, or a refusal. What was refused once in this turn is refused again
 * without asking. Never throws: whatever goes wrong is a refusal.
 */
export async function askApproval(
  call: ToolCall,
  target: Target,
  path: ToolPath,
): Promise<ToolOutcome | undefined> {
  const { run } = path
  const { approvals } = path.services
  const signature = toSignature(target)
  if (run.refusals.covers(target.name, signature)) return refused(target, 'user', ALREADY_REFUSED)
  if (!ATTENDED.has(run.origin)) {
    return refused(
      target,
      'policy',
      `it needs an approval, and nobody can be asked here (origin: ${run.origin})`,
    )
  }
  if (!approvals) return refused(target, 'policy', 'it needs an approval, and no approvals are set up')
  if (approvals.isAlwaysAllowed(target.name)) return undefined

  const digest = digestCall(target.name, target.arguments)
  const answer = await ask(call, target, digest, approvals, path)
  if (answer.decision === 'expired' || answer.decision === 'deny') {
    run.refusals.add(target.name, signature)
    return answer.decision === 'deny'
      ? refused(target, 'user', 'the user said no')
      : refused(target, 'expiry', 'nobody answered in time')
  }
  if (answer.digest !== digest) return refused(target, 'policy', 'the approval was given for other arguments')
  return undefined
}

async function ask(
  call: ToolCall,
  target: Target,
  digest: string,
  approvals: ApprovalGate,
  { run, iteration, services }: ToolPath,
): Promise<ApprovalAnswer> {
  const { clock } = run
  const id = `approval_${randomBytes(12).toString('base64url')}`
  const createdAt = clock.now()
  const { label } = toLabel(target)
  const shown = {
    callId: call.id,
    tool: target.name,
    label,
    arguments: scrubValue(target.arguments, services.secrets),
    digest,
    expiresAt: createdAt + approvals.timeoutMs,
  }
  const waitedFrom = clock.monotonic()
  let answer: ApprovalAnswer
  try {
    await approvals.open({ ...shown, id, threadId: run.threadId, runId: run.runId, createdAt })
    await run.report({ type: 'approval-request', iteration, approvalId: id, ...shown })
    answer = await approvals.wait(id, run.signal)
  } catch {
    answer = { decision: 'expired', digest }
  }
  excuseWait(run, clock.monotonic() - waitedFrom)
  await run.report({ type: 'approval-answer', iteration, approvalId: id, decision: answer.decision })
  return answer
}

/** The time a person thinks is not the time a turn takes. */
function excuseWait(run: RunContext, ms: number): void {
  run.budget.excuse(ms)
}

/** The call without cosmetic differences: spelling it anew does not make it another call. */
function toSignature({ name, arguments: args }: Target): string {
  return `${name} ${canonicalJson(args)
    .toLowerCase()
    .replaceAll(/\\[nrt]|\s+/g, '')}`
}

const ALREADY_REFUSED = 'this was refused before in this turn, and asking again does not change that'

function refused({ name }: Target, deniedBy: 'user' | 'policy' | 'expiry', why: string): ToolOutcome {
  return fail(`"${name}" was not run: ${why}. Do not try it another way; tell the user.`, { deniedBy })
}
