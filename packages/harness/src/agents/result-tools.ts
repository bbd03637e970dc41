import type { ExtractOptions } from '../tools/extract-from-result.ts'
import { createExtractTool } from '../tools/extract-from-result.ts'
import { createReadArtifactTool } from '../tools/read-artifact.ts'
import type { Tool } from '../turn/tool.ts'

/** The two ways into a result that was too large for a conversation: part by part, or by a question. */
export function createResultTools({ artifacts, ask }: Partial<ExtractOptions>): readonly Tool[] {
  if (!artifacts) return []
  return [createReadArtifactTool(artifacts), ...(ask ? [createExtractTool({ artifacts, ask })] : [])]
}
