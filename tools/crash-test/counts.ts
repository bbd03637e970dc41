/** The counts that must be zero, in the order they are printed: those of turns. */
const COUNTED = [
  'lostMessages', // acknowledged, but neither in the conversation nor refused with a reason
  'duplicateWrites', // done twice for one call
  'unnamedUnknowns', // the ledger and the real effects differ, and no result says that they may
  'stuckRuns', // turns that never ended
  'eventGaps', // events a client never received
  'eventRepeats', // events a client received twice, or with other content
  'invariantBreaks', // see checkInvariants, and other states that must not occur
] as const

/** The counts of work without a person. */
const COUNTED_UNATTENDED = [
  'itemsLost', // an item of an app that is not in memory, or is not found by its words
  'itemsRepeated', // in memory twice, or stored again in the same version
  'itemsStale', // in memory in an old version, or though the app has deleted it
  'triggersLost', // accepted, and neither decided as labelled nor waiting for a model; or without its turn
  'triggersDoubled', // stored twice, or with a second turn
  'firingsMissed', // a due time of a schedule that should have run, by the stated rule
  'firingsDoubled', // one that ran twice, or should not have run
  'effectsWithoutPerson', // a call above a read that no person has allowed
] as const

/** The counts of one process. */
export const COUNTED_OF_PROCESS = [...COUNTED, ...COUNTED_UNATTENDED] as const

/** The counts of several nodes. */
export const COUNTED_OF_NODES = [
  ...COUNTED,
  'staleWrites', // a page stored or a call started by a node whose thread had moved to another
] as const

/** The name of a count. */
export type Counted = (typeof COUNTED_OF_NODES | typeof COUNTED_OF_PROCESS)[number]

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
