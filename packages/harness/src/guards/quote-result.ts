import type { ToolResult } from '../turn/tool/tool-result.ts'

/**
 * What a person may read of a result: the words of the tool. What the harness wrote for the model is left out; where it
 * wrote everything, the cause of the failure stands instead.
 */
export function quoteResult({ text, own, failure, didNotRun }: ToolResult): string {
  // Our own tools name the class themselves, and their text tells the model what to do.
  if (failure && (didNotRun || failure.evidence?.rule === 'named-by-tool')) return failure.cause
  const inner = own ? text.slice(own.start, text.length - own.end) : text
  return inner.replace(/^Error: (?:\(It was tried \d+ times\.\) )?/, '')
}
