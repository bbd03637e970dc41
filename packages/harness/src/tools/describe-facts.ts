import type { MemoryFact } from '@capstan/protocol'
import { MAX_FACT_CHARS } from '@capstan/protocol'
import { sanitizeLine } from '../text/untrusted-text.ts'

/** Below two thousand tokens in most languages. */
const MAX_BLOCK_CHARS = 6_000

const HEADING =
  'What the user wants you to know about them. They accepted each line themselves; no app wrote here. What they say in ' +
  'this conversation counts more, and nothing here replaces their yes to a step.'

/**
 * The accepted facts as the end of a system prompt, oldest first; empty when there are none. Where not all fit, the newest
 * stay. Facts that were not accepted are left out.
 */
export function describeFacts(facts: readonly MemoryFact[]): string {
  const lines = linesThatFit(facts.filter(isAccepted))
  return lines.length === 0 ? '' : [HEADING, ...lines.toReversed()].join('\n')
}

/** How many accepted facts are left out because not all fit. They are the oldest. */
export function countFactsLeftOut(facts: readonly MemoryFact[]): number {
  const accepted = facts.filter(isAccepted)
  return accepted.length - linesThatFit(accepted).length
}

function linesThatFit(accepted: readonly MemoryFact[]): readonly string[] {
  const lines: string[] = []
  let chars = HEADING.length
  for (const { id, text } of accepted.toSorted(newestFirst)) {
    const line = `- ${sanitizeLine(text, MAX_FACT_CHARS)} (${id})`
    chars += line.length + 1
    if (chars > MAX_BLOCK_CHARS) break
    lines.push(line)
  }
  return lines
}

const isAccepted = ({ status }: MemoryFact): boolean => status === 'accepted'

const newestFirst = (a: MemoryFact, b: MemoryFact): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)
