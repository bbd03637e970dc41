import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import { createMemoryArtifacts } from '../ports/memory-artifacts.ts'
import { createMemoryAuditLog } from '../ports/memory-audit-log.ts'
import type { CompactionProfile } from '../tool-path/compact/compact-output.ts'
import type { SafetyMode, ToolRule } from '../tool-path/policy.ts'
import { createKnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'

/** What may happen without a person, who is asked, and what is kept of it. */
export interface SafetyOptions {
  /** Default `supervised`: reads run, everything else needs a yes. */
  readonly mode?: SafetyMode
  /** Per tool, over the mode. Deny beats ask beats allow. */
  readonly rules?: readonly ToolRule[]
  /** Who asks people. Without one, what needs a yes is refused. */
  readonly approvals?: ApprovalGate
  readonly audit?: AuditLog
  readonly artifacts?: ArtifactStore
  /** Values that must never reach the model, an event or a log, such as stored credentials. */
  readonly secrets?: Iterable<string>
  /** How outputs are shortened. Default `full`; `light` leaves nothing out, `off` does nothing. */
  readonly compaction?: CompactionProfile
}

export function createToolServices(options: SafetyOptions = {}): ToolServices {
  const {
    mode = 'supervised',
    rules = [],
    approvals,
    audit,
    artifacts,
    secrets,
    compaction = 'full',
  } = options
  return {
    policy: { mode, rules },
    approvals,
    audit: audit ?? createMemoryAuditLog(),
    artifacts: artifacts ?? createMemoryArtifacts(),
    secrets: secrets && createKnownSecrets(secrets),
    compaction,
  }
}
