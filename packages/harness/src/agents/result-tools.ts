import type { ExtractOptions } from '../tools/extract-from-result.ts'
import { createExtractTool } from '../tools/extract-from-result.ts'
import { createReadArtifactTool } from '../tools/read-artifact.ts'
import type { Tool } from '../turn/tool/tool.ts'

/** The two tools for results that are too large for a conversation: read in parts, or ask a question. */
export function createResultTools({ artifacts, ask }: Partial<ExtractOptions>): readonly Tool[] {
  if (!artifacts) return []
  return [createReadArtifactTool(artifacts), ...(ask ? [createExtractTool({ artifacts, ask })] : [])]
}
