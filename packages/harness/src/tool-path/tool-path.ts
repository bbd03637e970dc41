import type { Usage, WaitsFor } from '@capstan/protocol'
import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import type { CallAudit, CallIntent } from '../seams/seams.ts'
import type { MediaLimits, Sight } from '../turn/message/media.ts'
import type { ParkedRuns } from '../turn/parked-runs.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { ResolvedCall } from '../turn/tool/resolve-call.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'
import type { CompactionProfile } from '../turn/tool/compaction-profile.ts'
import type { Policy } from './policy.ts'
import type { NamedSecrets } from './fill-secrets.ts'
import type { LongResult } from './summarise-result.ts'
import type { KnownSecrets } from './scrub/known-secrets.ts'

/** What all calls of one iteration share. */
export interface ToolPath {
  readonly run: RunContext
  readonly surface: Surface
  readonly iteration: number
  readonly limits: ToolLimits
  readonly services: ToolServices
  /** Which media the model can read. Absent: none. */
  readonly sees?: Sight
  readonly mediaLimits?: MediaLimits
  /** Records a call with side effects before it runs, and every result before it is reported. */
  readonly record?: CallRecord
  /** Charges a tool's own model calls to the turn's budget. */
  readonly spend?: (usage: Usage, model: string) => void | Promise<void>
  /** A summary of a long result that is shorter than it. Absent: results are not summarised. Never rejects. */
  readonly summarise?: (result: LongResult) => Promise<string | undefined>
}

/** Records the start and the end of calls. */
export interface CallRecord {
  starting(call: ToolCall, intent: CallIntent): void | Promise<void>
  finished(call: ToolCall, target: ResolvedCall, result: ToolResult, audit: CallAudit): void | Promise<void>
}

/** The services of the tool path. A turn and all its sub-agents share them. */
export interface ToolServices {
  readonly policy: Policy
  /** Absent: calls that need approval are refused. */
  readonly approvals?: ApprovalGate
  /** Absent: the observers are the only record. */
  readonly audit?: AuditLog
  readonly artifacts: ArtifactStore
  /** Known secret values, which are always hidden. */
  readonly secrets?: KnownSecrets
  /** Secrets that a call may name as `{{secret:name}}`. */
  readonly namedSecrets?: NamedSecrets
  readonly compaction: CompactionProfile
  /** Parks a run until one of these has happened. Absent without a durable store. */
  readonly park?: (run: RunContext, waits: readonly [WaitsFor, ...WaitsFor[]]) => Promise<never>
  /** Runs that are parked while their turn is running. Absent without a durable store. */
  readonly parkedRuns?: ParkedRuns
}

/** The limits of one call. */
export interface ToolLimits {
  /** For tools without their own timeout. */
  readonly timeoutMs: number
  /** How long a tool may take to stop after its deadline, or after the turn was stopped. */
  readonly graceMs: number
  readonly stopGraceMs: number
  /** Bytes of one result that reach the model. */
  readonly maxOutputBytes: number
}

/** The default limits. */
export const TOOL_LIMITS: ToolLimits = {
  timeoutMs: 120_000,
  graceMs: 5_000,
  stopGraceMs: 1_000,
  maxOutputBytes: 16 * 1024,
}
