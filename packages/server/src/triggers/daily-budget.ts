import type { SourceStore } from './source-store.ts'
import type { StoredSource } from './stored-source.ts'
import { dayOf, usedToday } from './stored-source.ts'

/** The most that one turn may cost. */
const MOST_PER_TURN_USD = 1
/** Less than this starts nothing. */
const LEAST_USD = 0.01

/** What a turn may cost, and of which day. */
export interface Reservation {
  readonly usd: number
  readonly day: string
}

/**
 * What the triggers of a source may use in a day. A turn takes its whole limit before it starts, and gives back what it did
 * not use. A kill in between counts too much, never too little.
 */
export interface DailyBudget {
  /** Whether anything is left today for a judgement. */
  hasMoney(source: StoredSource): boolean
  /** A judgement was paid. */
  spend(userId: string, sourceId: string, usd: number): Promise<void>
  /** Takes one run and the limit of its turn. Undefined: nothing is left today. */
  reserve(userId: string, sourceId: string): Promise<Reservation | undefined>
  /** Gives back what a turn did not use, unless its day is over. */
  giveBack(userId: string, sourceId: string, unused: Reservation): Promise<void>
}

export function createDailyBudget(sources: SourceStore, now: () => number): DailyBudget {
  const add = (source: StoredSource, usd: number, runs: number): StoredSource => {
    const used = usedToday(source, now())
    return {
      ...source,
      used: { day: dayOf(now()), usd: Math.max(0, used.usd + usd), runs: used.runs + runs },
    }
  }
  const leftIn = (source: StoredSource): number => source.budget.usd - usedToday(source, now()).usd
  return {
    hasMoney: (source) => leftIn(source) >= LEAST_USD,
    async spend(userId, sourceId, usd) {
      if (usd > 0) await sources.changeSource(userId, sourceId, (source) => add(source, usd, 0))
    },
    async reserve(userId, sourceId) {
      let reserved: Reservation | undefined
      await sources.changeSource(userId, sourceId, (source) => {
        const left = leftIn(source)
        const isOver = left < LEAST_USD || usedToday(source, now()).runs >= source.budget.runs
        reserved = isOver ? undefined : { usd: Math.min(left, MOST_PER_TURN_USD), day: dayOf(now()) }
        return reserved ? add(source, reserved.usd, 1) : source
      })
      return reserved
    },
    async giveBack(userId, sourceId, { usd, day }) {
      if (usd <= 0) return
      await sources.changeSource(userId, sourceId, (source) =>
        source.used.day === day ? add(source, -usd, 0) : source,
      )
    },
  }
}
