import type { Usage, WaitsFor } from '@capstan/protocol'
import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import type { CallAudit, CallIntent } from '../seams/seams.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Surface } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolResult } from '../turn/tool-result.ts'
import type { CompactionProfile } from '../turn/compaction-profile.ts'
import type { Policy } from './policy.ts'
import type { KnownSecrets } from './scrub/known-secrets.ts'

/** What every call of one iteration shares. */
export interface ToolPath {
  readonly run: RunContext
  readonly surface: Surface
  readonly iteration: number
  readonly limits: ToolLimits
  readonly services: ToolServices
  /** Hears of a call that changes something before it runs, and of every result before it is announced. */
  readonly record?: CallRecord
  /** Takes what a tool's own model calls cost off the turn's budget. */
  readonly spend?: (usage: Usage, model: string) => void | Promise<void>
}

export interface CallRecord {
  starting(call: ToolCall, intent: CallIntent): void | Promise<void>
  finished(call: ToolCall, result: ToolResult, audit: CallAudit): void | Promise<void>
}

/** What the stages of the path ask for. The same for a turn and all its sub-agents. */
export interface ToolServices {
  readonly policy: Policy
  /** Absent: what needs a person is refused. */
  readonly approvals?: ApprovalGate
  /** Absent: the observers are the only record. */
  readonly audit?: AuditLog
  readonly artifacts: ArtifactStore
  /** Values that must never be seen, whatever they look like. */
  readonly secrets?: KnownSecrets
  readonly compaction: CompactionProfile
  /** Lets go of a run until something has come. Absent where nothing outlives the process. */
  readonly park?: (run: RunContext, waitsFor: WaitsFor) => Promise<never>
}

export interface ToolLimits {
  /** For tools that name none of their own. */
  readonly timeoutMs: number
  /** How long a tool may take to stop after its deadline, or after the turn was stopped. */
  readonly graceMs: number
  readonly stopGraceMs: number
  /** Bytes of one result that reach the model. */
  readonly maxOutputBytes: number
}

export const TOOL_LIMITS: ToolLimits = {
  timeoutMs: 120_000,
  graceMs: 5_000,
  stopGraceMs: 1_000,
  maxOutputBytes: 16 * 1024,
}
