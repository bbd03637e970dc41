import { classifyOutcome } from '../failures/classify.ts'
import type { Target } from '../turn/surface.ts'
import type { ToolCall } from '../turn/tool-call.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { fail } from '../turn/tool-outcome.ts'
import type { ToolResult } from '../turn/tool-result.ts'
import { capOutput } from './cap-output.ts'
import { checkArguments } from './check-arguments.ts'
import { checkReach } from './check-reach.ts'
import { execute } from './execute.ts'
import { toLabel } from './to-label.ts'
import type { ToolPath } from './tool-path.ts'

/**
 * The one road from a call to its result, for all three doors. A call that was refused before it came here runs
 * nothing, and is seen to start and to end like any other. Never throws.
 */
export async function runToolCall(
  call: ToolCall,
  path: ToolPath,
  refusal?: ToolOutcome,
): Promise<ToolResult> {
  const { run, iteration } = path
  const target = path.surface.resolve(call)
  const started = run.clock.monotonic()
  const { label, detail } = toLabel(target)
  const slow = run.report({
    type: 'tool-start',
    iteration,
    callId: call.id,
    tool: target.name,
    arguments: target.arguments,
    label,
    detail,
  })
  if (slow) await slow
  const outcome = refusal ?? (await runTarget(call, target, path))
  const { text, bytes } = capOutput(outcome.text, target.tool, path.limits.maxOutputBytes)
  const durationMs = run.clock.monotonic() - started
  const result: ToolResult = {
    callId: call.id,
    tool: target.name,
    ok: outcome.ok,
    text: outcome.ok ? text : `Error: ${text}`,
    durationMs,
    outputBytes: bytes,
    media: outcome.media,
    failure: outcome.ok ? undefined : classifyOutcome(outcome),
    endsTurn: outcome.ok && target.tool?.endsTurn ? true : undefined,
  }
  const slower = run.report({
    type: 'tool-end',
    iteration,
    callId: call.id,
    tool: target.name,
    ok: result.ok,
    output: result.text,
    outputBytes: bytes,
    durationMs,
    failure: result.failure,
  })
  if (slower) await slower
  return result
}

async function runTarget(call: ToolCall, target: Target, path: ToolPath): Promise<ToolOutcome> {
  const { tool } = target
  if (call.malformed) return unreadable(call.malformed)
  if (!tool) return unknownTool(target.name, path)
  const checked = await checkArguments(tool, target.arguments)
  if ('refusal' in checked) return checked.refusal
  const refusal = checkReach(tool, target.arguments, checked.value, path.run)
  if (refusal) return refusal
  return execute(tool, checked.value, call.id, path)
}

function unreadable({ raw, problem }: { raw: string; problem: string }): ToolOutcome {
  return fail(
    `The arguments could not be read: ${problem.replace(/\.$/, '')}. Nothing was run. Send the call again with one complete ` +
      `JSON object. What arrived began with: ${raw.slice(0, 200)}`,
    { errorCode: 'invalid_arguments' },
  )
}

function unknownTool(name: string, path: ToolPath): ToolOutcome {
  const names = path.surface.names()
  const known =
    names.length === 0 ? 'No tools are available.' : `Available: ${names.slice(0, 50).join(', ')}.`
  return fail(`There is no tool named "${name}". ${known}`, { errorCode: 'unknown_tool' })
}
