import type { ToolResult } from '../../turn/tool/tool-result.ts'

const NOT_OK = /^\s*\{(?:[^{}[\]]|\[[^\]]*\])*?"(?:ok|success)"\s*:\s*false\b/

/** Whether a successful call returns a negative body: `{"ok": false, …}`, as validators and dry runs do. */
export const reportsFailure = ({ ok, text }: ToolResult): boolean =>
  ok && text.startsWith('{') && NOT_OK.test(text.length > 2000 ? text.slice(0, 2000) : text)
