import type { Artifact } from '../ports/artifact-store.ts'
import type { Target } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import { FRAME_BYTES } from '../text/untrusted-frame.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { resultsFrom } from '../turn/tool/tool.ts'
import { capOutput } from './cap-output.ts'
import type { Compacted } from './compact/compact-output.ts'
import { compactOutput } from './compact/compact-output.ts'
import type { HeldOutcome, HeldOutput } from './output-sink.ts'
import { holdLongText, MAX_HELD_CHARS } from './output-sink.ts'
import { scrubSecrets } from './scrub/scrub-secrets.ts'
import { Spill } from './spill.ts'
import { summariseResult } from './summarise-result.ts'
import type { ToolPath } from './tool-path.ts'

/** An output ready for the model. */
export interface ShapedOutput {
  readonly text: string
  /** The size of the whole output. */
  readonly bytes: number
  /** How many characters at its end are the harness's own words. */
  readonly noteChars?: number
  /** A model worded it. */
  readonly isSummary?: boolean
}

/** Space for the line that says how to read the rest. */
const NOTE_BYTES = 256

/**
 * Prepares an output for the model: scrubbed first, then compacted, then cut to the budget. What is left out stays
 * readable in an artifact. Returns a promise only for a large output.
 */
export function shapeOutput(
  outcome: HeldOutcome,
  call: ToolCall,
  target: Target,
  path: ToolPath,
): ShapedOutput | Promise<ShapedOutput> {
  const { held, ok } = outcome
  if (held) return shapeHeld(held, ok, call, target, path)
  if (outcome.text.length > MAX_HELD_CHARS) {
    return holdLongText(outcome.text, { callId: call.id, tool: target.name }, path).then((long) =>
      shapeHeld(long, ok, call, target, path),
    )
  }
  const text = scrubSecrets(outcome.text, path.services.secrets)
  const output: HeldOutput = { text, bytes: Buffer.byteLength(text) }
  return isTiny(output, target.tool, path) ? output : shapeHeld(output, ok, call, target, path)
}

/** Below this size no later stage has work to do. */
const isTiny = ({ bytes }: HeldOutput, tool: Tool | undefined, path: ToolPath): boolean =>
  bytes < 240 && bytes <= budgetOf(tool, path) && tool?.maxOutputChars === undefined

/** The frame of a result from outside is part of its budget. */
const budgetOf = (tool: Tool | undefined, { limits }: ToolPath): number =>
  limits.maxOutputBytes - (tool && resultsFrom(tool) ? FRAME_BYTES : 0)

function shapeHeld(
  held: HeldOutput,
  ok: boolean,
  call: ToolCall,
  target: Target,
  path: ToolPath,
): ShapedOutput | Promise<ShapedOutput> {
  const { tool, name, arguments: args } = target
  if (held.rest) return showShort(held.text, held.bytes, held.rest.artifact, ok, target, path)
  const finish = (compacted?: Compacted): ShapedOutput | Promise<ShapedOutput> => {
    const text = compacted?.text ?? held.text
    const capped = capOutput(text, tool, budgetOf(tool, path))
    if (!compacted?.lossy && !capped.isCut) return { text: capped.text, bytes: held.bytes }
    return spill(held.text, call, target, path).then((artifact) =>
      showShort(text, held.bytes, artifact, ok, target, path),
    )
  }
  if (tool?.exact) return finish()
  const profile = path.services.compaction
  const compacted = compactOutput(held.text, { tool: name, command: commandOf(tool, args), ok, profile })
  return compacted instanceof Promise ? compacted.then(finish) : finish(compacted)
}

// Only a hint: an error here must not fail a call that has run.
function commandOf(tool: Tool | undefined, args: Target['arguments']): string | undefined {
  try {
    return tool?.command?.(args)
  } catch {
    return undefined
  }
}

/** A summary of what was put aside, or the part of it that fits. A failure is shown as it is. */
async function showShort(
  text: string,
  bytes: number,
  artifact: Artifact | undefined,
  ok: boolean,
  target: Target,
  path: ToolPath,
): Promise<ShapedOutput> {
  const summary = ok && artifact ? await summariseResult(artifact, bytes, target, path) : undefined
  return summary === undefined
    ? showPart(text, bytes, artifact, target, path)
    : { ...showPart(summary, bytes, artifact, target, path, 'A summary'), isSummary: true }
}

function showPart(
  text: string,
  bytes: number,
  artifact: Artifact | undefined,
  { tool }: Target,
  path: ToolPath,
  what = 'A part',
): ShapedOutput {
  const { text: part } = capOutput(text, tool, budgetOf(tool, path) - NOTE_BYTES, bytes)
  const note = `\n${howToReadOn(what, bytes, artifact, path)}`
  return { text: part + note, bytes, noteChars: note.length }
}

async function spill(
  text: string,
  call: ToolCall,
  target: Target,
  path: ToolPath,
): Promise<Artifact | undefined> {
  const kept = new Spill({ callId: call.id, tool: target.name }, path)
  await kept.write(text)
  return kept.close()
}

/** Mentions only tools that the model has. */
function howToReadOn(
  what: string,
  bytes: number,
  artifact: Artifact | undefined,
  { surface }: ToolPath,
): string {
  if (!artifact)
    return `[${what} is shown; the whole output is ${bytes} bytes, and the rest could not be kept.]`
  const has = (tool: string) => surface.resolve({ tool, arguments: {} }).tool !== undefined
  const ways = [
    ...(has('read_artifact') ? [`Read on with read_artifact {"id": "${artifact.id}", "offset": 0}.`] : []),
    // The id appears once, because it may be long.
    ...(has('extract_from_result') ? ['Or ask extract_from_result about that id.'] : []),
  ]
  const how = ways.map((way) => ` ${way}`).join('')
  return `[${what} is shown; the whole output is ${bytes} bytes.${how}]`
}
