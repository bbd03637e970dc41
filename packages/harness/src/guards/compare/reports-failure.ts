import type { ToolResult } from '../../turn/tool-result.ts'

const NOT_OK = /^\s*\{(?:[^{}[\]]|\[[^\]]*\])*?"(?:ok|success)"\s*:\s*false\b/

/** The call went through and its answer is a no: `{"ok": false, …}`, as validators and dry runs say it. */
export const reportsFailure = ({ ok, text }: ToolResult): boolean =>
  ok && text.startsWith('{') && NOT_OK.test(text.length > 2000 ? text.slice(0, 2000) : text)
