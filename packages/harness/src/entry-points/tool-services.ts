import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import type { CompactionProfile } from '../turn/compaction-profile.ts'
import type { SafetyMode, ToolRule } from '../tool-path/policy.ts'
import { createKnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import { ConfigurationError } from '../turn/errors.ts'

/** What may happen without a person, who is asked, and what is kept of it. */
export interface SafetyOptions {
  /** Default `supervised`: reads run, everything else needs a yes. */
  readonly mode?: SafetyMode
  /** Per tool, over the mode. Deny beats ask beats allow. */
  readonly rules?: readonly ToolRule[]
  /** Who asks people. Without one, what needs a yes is refused. */
  readonly approvals?: ApprovalGate
  /** Gets a row for every call, whether it ran or not. With a store, the rows are in the ledger as well. */
  readonly audit?: AuditLog
  readonly artifacts?: ArtifactStore
  /** Values that must never reach the model, an event or a log, such as stored credentials. */
  readonly secrets?: Iterable<string>
  /** How outputs are shortened. Default `full`; `light` leaves nothing out, `off` does nothing. */
  readonly compaction?: CompactionProfile
}

/** What only an entry point with a store can give. */
type Parking = Pick<ToolServices, 'park'>

/** Throws for settings that would guard less than they seem to. */
export function createToolServices(options: SafetyOptions = {}, parking: Parking = {}): ToolServices {
  const {
    mode = 'supervised',
    rules = [],
    approvals,
    audit,
    artifacts,
    secrets,
    compaction = 'full',
  } = options
  if (!MODES.has(mode)) throw new ConfigurationError('safety.mode', `there is no mode "${mode}"`)
  for (const { tool, decision } of rules) checkRule(tool, decision)
  return {
    policy: { mode, rules },
    approvals,
    audit,
    artifacts: artifacts ?? createMemoryArtifacts(),
    secrets: secrets && createKnownSecrets(secrets),
    compaction,
    ...parking,
  }
}

const MODES: ReadonlySet<string> = new Set<SafetyMode>(['read-only', 'supervised', 'full'])
const DECISIONS: ReadonlySet<string> = new Set<ToolRule['decision']>(['allow', 'ask', 'deny'])

function checkRule(tool: string, decision: string): void {
  if (!DECISIONS.has(decision))
    throw new ConfigurationError('safety.rules', `"${tool}" has no decision "${decision}"`)
  if (tool.slice(0, -1).includes('*'))
    throw new ConfigurationError('safety.rules', `"${tool}" may have a * only at its end`)
}
