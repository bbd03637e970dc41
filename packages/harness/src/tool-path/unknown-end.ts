import type { Failure } from '@capstan/protocol'
import type { Effect } from '../turn/tool/tool.ts'
import type { ToolResult } from '../turn/tool/tool-result.ts'

/** What the model is told about a call that may have changed something and whose end nobody saw. */
export const UNKNOWN_END =
  'It may or may not have happened. Find out before you do it again, and tell the user. Never say that it was done.'

type Written = Pick<ToolResult, 'text' | 'from' | 'own'>

/** Puts the warning behind the first `start` characters, where a tool cannot speak, if the end of the call is unknown. */
export function warnOfUnknownEnd(
  written: Written,
  start: number,
  failure: Failure | undefined,
  effect: Effect | undefined,
): Written {
  if (failure?.class !== 'interrupted' || effect === undefined || effect === 'read') return written
  const { text, own } = written
  const warning = `${UNKNOWN_END} What came back: `
  return {
    ...written,
    text: text.slice(0, start) + warning + text.slice(start),
    own: { start: (own?.start ?? start) + warning.length, end: own?.end ?? 0 },
  }
}
