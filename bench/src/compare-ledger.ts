import { keepsNothing, keepsOwnStore } from './subjects/catalog.ts'
import type { SubjectName } from './subjects/catalog.ts'
import type { WorkloadName } from './workloads.ts'

/** The cost of an iteration, as a multiple of the cost in Capstan. Above 1, Capstan is cheaper. */
export type Multiples = Readonly<Partial<Record<WorkloadName, number>>>

/** What durability costs, in the same run. */
export interface LedgerComparison {
  /** Capstan with its ledger in memory, against its ledger on SQLite. */
  readonly vsMemory: Multiples
  /** The AI SDK's loop, which keeps nothing, against Capstan with its ledger on SQLite. */
  readonly vsAiSdk: Multiples
  /** Each peer with a store of its own, against Capstan with its ledger on SQLite. */
  readonly vsPersistedPeers: Readonly<Record<string, Multiples>>
  /** Each peer's loop that keeps nothing, against Capstan with its ledger in memory. */
  readonly memoryVsPeers: Readonly<Record<string, Multiples>>
}

export interface Cost {
  readonly workload: WorkloadName
  readonly subject: SubjectName
  readonly usPerIteration: number
}

/** `undefined` unless Capstan was measured with its ledger on SQLite. Pure. */
export function compareLedger(costs: readonly Cost[]): LedgerComparison | undefined {
  const measured = [...new Set(costs.map(({ subject }) => subject))]
  if (!measured.includes('capstan-sqlite')) return undefined
  const against = (ours: SubjectName, theirs: readonly SubjectName[]): Readonly<Record<string, Multiples>> =>
    Object.fromEntries(theirs.map((subject) => [subject, toMultiples(costs, subject, ours)]))
  return {
    vsMemory: toMultiples(costs, 'capstan', 'capstan-sqlite'),
    vsAiSdk: toMultiples(costs, 'ai-sdk', 'capstan-sqlite'),
    vsPersistedPeers: against('capstan-sqlite', measured.filter(keepsOwnStore)),
    memoryVsPeers: against('capstan', measured.filter(keepsNothing)),
  }
}

/** What one subject costs as a multiple of another, by workload. */
export function toMultiples(costs: readonly Cost[], theirs: SubjectName, ours: SubjectName): Multiples {
  const multiples: Partial<Record<WorkloadName, number>> = {}
  for (const { workload, subject, usPerIteration } of costs) {
    if (subject !== theirs) continue
    const own = costs.find((cost) => cost.workload === workload && cost.subject === ours)
    if (own) multiples[workload] = Number((usPerIteration / own.usPerIteration).toFixed(2))
  }
  return multiples
}
