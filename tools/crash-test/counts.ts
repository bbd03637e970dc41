/** The counts that must be zero, in the order they are printed. */
export const COUNTED = [
  'lostMessages', // acknowledged, but neither in the conversation nor refused with a reason
  'duplicateWrites', // done twice for one call
  'unnamedUnknowns', // the ledger and the real effects differ, and no result says that they may
  'stuckRuns', // turns that never ended
  'eventGaps', // events a client never received
  'eventRepeats', // events a client received twice, or with other content
  'invariantBreaks', // see checkInvariants, and other states that must not occur
] as const

/** The counts of several nodes. */
export const COUNTED_OF_NODES = [
  ...COUNTED,
  'staleWrites', // a page stored or a call started by a node whose thread had moved to another
] as const

/** The name of a count. */
export type Counted = (typeof COUNTED_OF_NODES)[number]

/** One problem, described in a sentence. */
export interface Finding {
  readonly count: Counted
  readonly text: string
}

/** All counts. */
export type Counts = Readonly<Record<Counted, number>>

/** Counts findings by name. */
export function countFindings(findings: readonly Finding[], names: readonly Counted[] = COUNTED): Counts {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Counted, number>
  for (const { count } of findings) counts[count]++
  return counts
}
