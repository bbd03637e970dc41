import type { Artifact } from '../ports/artifact-store.ts'
import type { UntrustedSource } from '../text/untrusted-frame.ts'
import type { Target } from '../turn/tool/surface.ts'
import { resultsFrom } from '../turn/tool/tool.ts'
import type { ToolPath } from './tool-path.ts'

const BYTES_PER_TOKEN = 4
/** Results between these sizes, in estimated tokens, are summarised. */
const MIN_TOKENS = 4_000
const MAX_TOKENS = 2_000_000
const SLICE_BYTES = 256 * 1024

/** A long result that was put aside whole. */
export interface LongResult {
  readonly tool: string
  /** Estimated. */
  readonly tokens: number
  readonly from?: UntrustedSource
  /** Reads the whole text. */
  readonly read: () => Promise<string>
}

/** The summary of a result that was put aside. Undefined when it is not to be summarised, or cannot be. Never rejects. */
export async function summariseResult(
  artifact: Artifact,
  bytes: number,
  { tool, name }: Target,
  path: ToolPath,
): Promise<string | undefined> {
  const tokens = bytes / BYTES_PER_TOKEN
  if (!path.summarise || tokens <= MIN_TOKENS || tokens >= MAX_TOKENS) return undefined
  // Such a tool has said how much of its result is to be shown.
  if (tool?.exact || tool?.maxOutputChars !== undefined) return undefined
  const from = tool && resultsFrom(tool)
  return path.summarise({
    tool: name,
    tokens,
    read: () => readWhole(artifact, path),
    ...(from === undefined ? undefined : { from }),
  })
}

async function readWhole({ id }: Artifact, { run, services }: ToolPath): Promise<string> {
  const parts: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const slice = await services.artifacts.read(run.threadId, id, { offset, maxBytes: SLICE_BYTES })
    if (!slice) break
    parts.push(slice.text)
    offset = slice.nextOffset
  }
  return parts.join('')
}
