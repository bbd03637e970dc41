import type { Failure } from '@capstan/protocol'
import type { AuditRow } from '../ports/audit-log.ts'
import { classifyOutcome } from '../failures/classify.ts'
import type { CallAudit, CallIntent } from '../seams/seams.ts'
import { roundMs } from '../turn/clock.ts'
import { digestCall } from '../turn/digest.ts'
import type { DoneWrite } from '../turn/done-writes.ts'
import type { ReadFact } from '../turn/flow-tracker.ts'
import type { ResolvedCall } from '../turn/tool/resolve-call.ts'
import { resolveCall } from '../turn/tool/resolve-call.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { appOf, resultsFrom } from '../turn/tool/tool.ts'
import type { Admission, Admitted } from './admit-call.ts'
import { admitCall } from './admit-call.ts'
import { keepMedia } from './keep-media.ts'
import type { HeldOutcome } from './output-sink.ts'
import { toDoneWrite } from './repeated-write.ts'
import { executeCall } from './retry-read.ts'
import { scrubValue } from './scrub-value.ts'
import type { ShapedOutput } from './shape-output.ts'
import { shapeOutput } from './shape-output.ts'
import { toLabel } from './to-label.ts'
import type { ToolPath } from './tool-path.ts'
import { warnOfUnknownEnd } from './unknown-end.ts'

/**
 * Runs one call, from `tool-start` to `tool-end`: admit, execute, scrub and shape, audit. The only path for all three
 * entry points. With `instead` nothing runs: the call ends with that outcome. `unlessRun` is the outcome of a call that
 * had been started before, if it is not run again now. Throws only when the call cannot be recorded, or parks the turn.
 */
export async function runToolCall(
  call: ToolCall,
  path: ToolPath,
  instead?: ToolOutcome,
  target = resolveCall(call, path.surface),
  unlessRun?: ToolOutcome,
): Promise<ToolResult> {
  const { run } = path
  const startedAt = run.clock.monotonic()
  // Awaited only where there is a promise: most stages of most calls return at once.
  const slow = reportStart(call, target, path)
  if (slow) await slow
  const admitting = instead ? refusedBefore(instead) : admitCall(call, target, path)
  const admission = admitting instanceof Promise ? await admitting : admitting
  const admitted = 'refusal' in admission ? undefined : admission
  const intent =
    path.record && admitted && admitted.effect !== 'read' ? toIntent(target, admitted) : undefined
  if (intent) {
    const writing = path.record!.starting(call, intent)
    if (writing) await writing
  }
  const ran = 'refusal' in admission ? admission.refusal : executeCall(admission, call, path)
  const ended = ran instanceof Promise ? await ran : ran
  const outcome = unlessRun && (!admitted || ended.notStarted) ? unlessRun : ended
  const kept = outcome.media !== undefined && (await keepMedia(outcome.media, path))
  const shaped = shapeOutput(kept ? withText(outcome, kept.text) : outcome, call, target, path)
  const output = shaped instanceof Promise ? await shaped : shaped
  const { ok } = outcome
  const written = toText(outcome, output, kept ? kept.notes : '', admitted?.tool)
  const start = failureStart(outcome).length
  const failure = ok ? undefined : explainFailure(outcome, written.text.slice(start), target, admission)
  const { text, from, own } = warnOfUnknownEnd(written, start, failure, admitted?.effect)
  const result: ToolResult = {
    callId: call.id,
    tool: target.name,
    ok,
    effect: admission.effect ?? target.effect,
    text,
    from,
    own,
    durationMs: roundMs(run.clock.monotonic() - startedAt),
    outputBytes: output.bytes,
    media: kept && kept.parts.length > 0 ? kept.parts : undefined,
    failure,
    didNotRun: admitted ? undefined : true,
    endsTurn: ok && target.tool?.endsTurn ? true : undefined,
    read: admitted && noteRead(call, target, admitted, { ...output, text }, path),
    done: ok && admitted && admitted.effect !== 'read' ? noteDone(target, admitted, path) : undefined,
  }
  const slowAudit = recordResult(call, target, result, admission, intent, path)
  if (slowAudit) await slowAudit
  const slower = reportEnd(result, path)
  if (slower) await slower
  return result
}

/** Why the call failed. Only a call that was admitted can have changed something. */
function explainFailure(
  outcome: ToolOutcome,
  text: string,
  { name, tool, arguments: args }: Target,
  admission: Admission,
): Failure {
  const ran =
    'refusal' in admission
      ? undefined
      : { effect: admission.effect, inApp: tool?.isThirdParty === true || appOf(tool, args) !== undefined }
  return classifyOutcome({ ...outcome, ...ran, text, tool: name })
}

/** The harness's own words before the text of a failure. */
const failureStart = ({ tries }: Pick<ToolOutcome, 'tries'>): string =>
  tries === undefined ? 'Error: ' : `Error: (It was tried ${tries} times.) `

/** What the model reads, and which parts of it come from outside. A refusal, without a tool, is the harness's own. */
function toText(
  { ok, lead, tries }: ToolOutcome,
  { text, noteChars = 0 }: ShapedOutput,
  mediaNotes: string,
  tool: Tool | undefined,
): Pick<ToolResult, 'text' | 'from' | 'own'> {
  // A third party cannot speak as the harness.
  const ahead = lead === undefined || tool?.isThirdParty ? '' : lead
  const start = ok ? ahead : failureStart({ tries }) + withoutPrefix(ahead)
  const said = ok || ahead !== '' ? text : withoutPrefix(text)
  const whole = start + said + mediaNotes
  const from = tool && resultsFrom(tool)
  if (!from) return { text: whole }
  const end = mediaNotes === '' ? noteChars : 0
  return start === '' && end === 0
    ? { text: whole, from }
    : { text: whole, from, own: { start: start.length, end } }
}

/** A tool may have put the same word in front already. */
const withoutPrefix = (text: string): string => text.replace(/^(?:Error: ){1,5}/, '')

/** Notes what the result of a call that ran carries into the conversation. */
const noteRead = (
  { id: callId }: ToolCall,
  { arguments: args }: Target,
  { tool, effect }: Admitted,
  { text, isSummary }: ShapedOutput,
  { run }: ToolPath,
): ReadFact | undefined =>
  run.flow.returned({ tool, effect, args, id: { runId: run.runId, callId } }, text, isSummary)

/** Notes a write that succeeded, so that it is not repeated unasked. */
function noteDone(
  { arguments: args }: Target,
  { tool, effect, asked }: Admitted,
  { run }: ToolPath,
): DoneWrite {
  const done = toDoneWrite(tool, asked ?? args, effect)
  run.done.note(done)
  return done
}

const withText = (outcome: HeldOutcome, more: string): HeldOutcome =>
  more === '' ? outcome : { ...outcome, text: outcome.text + more }

const refusedBefore = (refusal: ToolOutcome): Admission => ({ decision: 'refused', refusal })

function reportStart(call: ToolCall, target: Target, { run, iteration, services }: ToolPath) {
  const { label, detail } = toLabel(target, services.secrets)
  const app = appOf(target.tool, target.arguments)
  return run.report({
    type: 'tool-start',
    iteration,
    callId: call.id,
    tool: target.name,
    arguments: scrubValue(target.arguments, services.secrets),
    label,
    detail,
    ...(app ? { app } : undefined),
  })
}

function reportEnd(result: ToolResult, { run, iteration }: ToolPath) {
  const { callId, tool, ok, text, outputBytes, durationMs, failure } = result
  return run.report({
    type: 'tool-end',
    iteration,
    callId,
    tool,
    ok,
    output: text,
    outputBytes,
    durationMs,
    failure,
  })
}

/** Writes to the audit log, if there is one, then to the observers. Returns a promise only if one of them does. */
function recordResult(
  call: ToolCall,
  target: ResolvedCall,
  result: ToolResult,
  admission: Admission,
  intent: CallIntent | undefined,
  path: ToolPath,
): void | Promise<void> {
  const { record, services } = path
  if (!record && !services.audit) return
  const audit = toAudit(target, result, admission, intent)
  const logging = services.audit?.record(toAuditRow(target, result, audit, path))
  if (logging) return logging.then(() => record?.finished(call, target, result, audit))
  return record?.finished(call, target, result, audit)
}

function toAudit(
  target: Target,
  { ok }: ToolResult,
  { decision, effect, asked }: Admission,
  intent: CallIntent | undefined,
): CallAudit {
  if (effect === 'read' && ok) return { decision, effect }
  return { decision, effect, digest: intent?.digest ?? digestCall(target.name, asked ?? target.arguments) }
}

const toIntent = (target: Target, { tool, effect, asked }: Admitted): CallIntent => ({
  tool: tool.name,
  effect,
  digest: digestCall(target.name, asked ?? target.arguments),
})

function toAuditRow(
  target: Target,
  result: ToolResult,
  { decision, effect, digest }: CallAudit,
  { run }: ToolPath,
): AuditRow {
  return {
    at: run.clock.now(),
    threadId: run.threadId,
    runId: run.runId,
    callId: result.callId,
    agent: run.agent,
    origin: run.origin,
    tool: target.name,
    effect,
    digest,
    decision,
    ok: result.ok,
    failure: result.failure?.class,
    durationMs: result.durationMs,
    outputBytes: result.outputBytes,
  }
}
