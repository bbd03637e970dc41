import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { AuditLog } from '../ports/audit-log.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import type { CompactionProfile } from '../turn/tool/compaction-profile.ts'
import type { Policy, PolicyFunction, SafetyMode, ToolRule } from '../tool-path/policy.ts'
import type { NamedSecrets } from '../tool-path/fill-secrets.ts'
import type { KnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import { createKnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import type { ToolServices } from '../tool-path/tool-path.ts'
import { ConfigurationError } from '../turn/errors.ts'

/** Which calls run without approval, who is asked, and what is logged. */
export interface SafetyOptions {
  /**
   * Default `supervised`: reads run, everything else needs an approval. A function is called for each call, so a change
   * reaches turns that are running.
   */
  readonly mode?: SafetyMode | (() => SafetyMode)
  /** Rules per tool that override the mode. Deny beats ask beats allow. A function is called for each call. */
  readonly rules?: readonly ToolRule[] | (() => readonly ToolRule[])
  /**
   * Decides about a call that the settings above do not refuse: `allow`, `ask` or `deny`, sync or async. It counts as one
   * more rule, so deny beats ask beats allow:
   * - A call refused by the mode (`read-only`), a `deny` rule, the tool's scope or the effect ceiling never reaches it.
   * - Its `deny` refuses the call.
   * - Its `ask` asks a person, also for a read.
   * - Its `allow` overrides the `ask` of the mode, also for `admin` effects. An `ask` rule still asks.
   * It also decides about the calls of sub-agents. When it throws, does not answer within `limits.tools.timeoutMs` or
   * returns anything else, the call is refused. It is consulted again after a wait, but a person's answer to a call stays
   * valid.
   */
  readonly policy?: PolicyFunction
  /**
   * Hosts that may be read although the data-flow rule would ask, such as `example.com` or `*.example.com`. A function is
   * called at each call.
   */
  readonly hosts?: readonly string[] | (() => readonly string[])
  /** Asks people for approval. Without it, a call that needs approval is refused. */
  readonly approvals?: ApprovalGate
  /** Receives a row for every call, whether it ran or not. With a store, the ledger has the same facts. */
  readonly audit?: AuditLog
  readonly artifacts?: ArtifactStore
  /**
   * Values that must never reach the model, an event or a log, such as stored credentials. A function is asked again
   * whenever they are needed; it returns the same object as long as nothing has changed.
   */
  readonly secrets?: Iterable<string> | (() => Iterable<string>)
  /**
   * Secrets that the model may name as `{{secret:name}}` in the arguments of a call. The tool gets the value, if the call
   * goes to a host the secret is bound to. Give the values as `secrets` too, so that no output shows them.
   */
  readonly namedSecrets?: NamedSecrets
  /** How outputs are shortened. Default `full`. `light` drops no content; `off` changes nothing. */
  readonly compaction?: CompactionProfile
}

/** Only an entry point with a store can park runs. */
type Parking = Pick<ToolServices, 'park' | 'parkedRuns'>

/** Creates the services of the tool path. Throws `ConfigurationError` for invalid settings. */
export function createToolServices(options: SafetyOptions = {}, parking: Parking = {}): ToolServices {
  const {
    mode = 'supervised',
    rules = [],
    policy,
    approvals,
    audit,
    artifacts,
    secrets,
    namedSecrets,
    compaction = 'full',
  } = options
  if (policy !== undefined && typeof policy !== 'function')
    throw new ConfigurationError('safety.policy', 'must be a function')
  return {
    policy: toPolicy(mode, rules, policy),
    approvals,
    audit,
    artifacts: artifacts ?? createMemoryArtifacts(),
    ...toSecrets(secrets),
    ...(namedSecrets ? { namedSecrets } : undefined),
    compaction,
    ...parking,
  }
}

function toSecrets(secrets: SafetyOptions['secrets']): Pick<ToolServices, 'secrets'> {
  if (typeof secrets !== 'function') return secrets ? { secrets: createKnownSecrets(secrets) } : {}
  let values: Iterable<string> | undefined
  let known: KnownSecrets | undefined
  const current = (): KnownSecrets => {
    const now = secrets()
    if (!known || now !== values) known = createKnownSecrets(now)
    values = now
    return known
  }
  // The object stays, what it knows changes.
  return {
    secrets: {
      find: (text, spans) => current().find(text, spans),
      holdFrom: (text) => current().holdFrom(text),
    },
  }
}

const MODES: ReadonlySet<string> = new Set<SafetyMode>(['read-only', 'supervised', 'full'])
const DECISIONS: ReadonlySet<string> = new Set<ToolRule['decision']>(['allow', 'ask', 'deny'])

/** Fixed settings are checked now. Live ones are read at each call, and one that is invalid or throws refuses. */
function toPolicy(
  mode: SafetyMode | (() => SafetyMode),
  rules: readonly ToolRule[] | (() => readonly ToolRule[]),
  check: PolicyFunction | undefined,
): Policy {
  if (typeof mode !== 'function' && !MODES.has(mode))
    throw new ConfigurationError('safety.mode', `there is no mode "${mode}"`)
  if (typeof rules !== 'function') for (const { tool, decision } of rules) checkRule(tool, decision)
  return {
    get mode() {
      return typeof mode === 'function' ? readMode(mode) : mode
    },
    get rules() {
      return typeof rules === 'function' ? readRules(rules) : rules
    },
    ...(check ? { check } : undefined),
  }
}

function readMode(mode: () => SafetyMode): SafetyMode {
  try {
    const now = mode()
    return MODES.has(now) ? now : 'read-only'
  } catch {
    return 'read-only'
  }
}

const DENY_ALL: readonly ToolRule[] = [{ tool: '*', decision: 'deny' }]

function readRules(rules: () => readonly ToolRule[]): readonly ToolRule[] {
  try {
    const now = rules()
    for (const { tool, decision } of now) checkRule(tool, decision)
    return now
  } catch {
    return DENY_ALL
  }
}

function checkRule(tool: string, decision: string): void {
  if (!DECISIONS.has(decision))
    throw new ConfigurationError('safety.rules', `"${tool}" has no decision "${decision}"`)
  if (tool.slice(0, -1).includes('*'))
    throw new ConfigurationError('safety.rules', `"${tool}" may have a * only at its end`)
}
