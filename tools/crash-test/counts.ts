/** What must be zero, in the order it is printed. */
export const COUNTED = [
  'lostMessages', // acknowledged, and neither in the conversation nor refused with a reason
  'duplicateWrites', // done twice for one call
  'unnamedUnknowns', // the ledger and the world disagree, or nobody said that they may
  'stuckRuns', // turns that never ended
  'eventGaps', // events a client never got
  'eventRepeats', // events a client got twice, or with another content
  'invariantBreaks', // see checkInvariants, and whatever else may never be
] as const

export type Counted = (typeof COUNTED)[number]

/** One thing that went wrong, in words. */
export interface Finding {
  readonly count: Counted
  readonly text: string
}

export type Counts = Readonly<Record<Counted, number>>

export function countFindings(findings: readonly Finding[]): Counts {
  const counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<Counted, number>
  for (const { count } of findings) counts[count]++
  return counts
}
