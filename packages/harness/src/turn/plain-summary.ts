import type { Cap } from '@capstan/protocol'

/** The last ones: a run by itself may have made 200. */
const MOST_CALLS = 20

/** The summary of a capped turn without a model call: the limit, and the calls so far. */
export function plainSummary(
  { cap, digest }: { readonly cap: Cap; readonly digest: readonly string[] },
  reader: 'user' | 'parent',
): string {
  const before = Math.max(0, digest.length - MOST_CALLS)
  const calls = digest.slice(before).map((line) => `- ${line.slice(0, line.indexOf(']: ') + 1)}`)
  const more = before > 0 ? `- ${before} before these\n` : ''
  const done = calls.length > 0 ? `Calls so far:\n${more}${calls.join('\n')}` : 'Nothing was done yet.'
  const next = reader === 'user' ? 'Reply "continue" to go on.' : 'The work is not finished.'
  return `Stopped at the limit (${cap.kind}: ${cap.limit}). ${done}\n${next}`
}
