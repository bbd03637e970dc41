import type { Cap } from '@capstan/protocol'

/** The summary of a capped turn without a model call: the limit, and the calls so far. */
export function plainSummary(
  { cap, digest }: { readonly cap: Cap; readonly digest: readonly string[] },
  reader: 'user' | 'parent',
): string {
  const calls = digest.map((line) => `- ${line.slice(0, line.indexOf(']: ') + 1)}`)
  const done = calls.length > 0 ? `Calls so far:\n${calls.join('\n')}` : 'Nothing was done yet.'
  const next = reader === 'user' ? 'Reply "continue" to go on.' : 'The work is not finished.'
  return `Stopped at the limit (${cap.kind}: ${cap.limit}). ${done}\n${next}`
}
