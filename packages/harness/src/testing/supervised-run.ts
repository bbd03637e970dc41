import type { GivenAnswer, CallId, GrantConstraints, TurnEvent } from '@capstan/protocol'
import type { SafetyOptions } from '../entry-points/tool-services.ts'
import type { ApprovalGate } from '../ports/approval-gate.ts'
import { createMemoryApprovals } from '../ports/memory/memory-approvals.ts'
import { createMemoryAuditLog } from '../ports/memory/memory-audit-log.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import type { JsonObject } from '../turn/json.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { recordEvents } from './record-events.ts'
import { stubTool } from './stub-tool.ts'
import { createTestClock } from './test-clock.ts'
import { createTestPath } from './test-path.ts'
import { createTestRun } from './test-run.ts'

/** A supervised run with the tools `send` (writes) and `look` (reads), with recorded events and audit rows. */
export function createSupervisedRun({
  run: given = {},
  safety = {},
  tool: more = {},
}: {
  readonly run?: Partial<RunContext> & { readonly onEvent?: (event: TurnEvent) => void }
  readonly safety?: SafetyOptions
  readonly tool?: Partial<Omit<Tool, 'name' | 'run'>>
} = {}) {
  const clock = createTestClock()
  const approvals = createMemoryApprovals({ clock })
  const events = recordEvents()
  const audit = createMemoryAuditLog()
  const ran: unknown[] = []
  const send = stubTool('send', (args) => void ran.push(args), { effect: 'write', ...more })
  const look = stubTool('look', () => 'seen')
  const run = createTestRun({ clock, onEvent: events.onEvent, ...given })
  const path = createTestPath([send, look], {
    run,
    safety: { mode: 'supervised', rules: [], approvals, audit, ...safety },
  })
  let calls = 0
  const call = (args: JsonObject = {}, tool = 'send') =>
    runToolCall({ id: `call_${++calls}` as CallId, tool, arguments: args }, path)
  /** Makes a call and answers its approval request. */
  const answered = async (args: JsonObject, decision: GivenAnswer, constraints?: GrantConstraints) => {
    const shown = events.next('approval-request')
    const result = call(args)
    approvals.answer((await shown).approvalId, decision, constraints)
    return result
  }
  return { clock, approvals, events, audit, ran, call, answered, path, run }
}

/** An approval gate that denies by default. */
export const stubGate = (more: Partial<ApprovalGate>): ApprovalGate => ({
  timeoutMs: 1_000,
  open: async () => {},
  wait: async () => ({ decision: 'deny', digest: '' }),
  findGrant: () => undefined,
  ...more,
})
