import type { SpendingLimit, SpendingLimits, SpendingPeriod, AmountSpent, Usage } from '@capstan/protocol'
import type { Clock } from './clock.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Of a limit, the part after which a warning is given. */
const WARN_AT = 0.8

const NOTHING: AmountSpent = { usd: 0, tokens: 0 }

interface AllowanceOptions {
  /** Read at each check, so that a raised limit counts at once. An absent limit is none. */
  readonly limits: () => SpendingLimits
  readonly clock: Clock
  /** What was spent since a time, as the ledger has it. Asked once for the day and once for the month. */
  readonly load: (since: number) => MaybePromise<AmountSpent>
  /** For processes that share a ledger: `ready` reads again after this time. Default: never. */
  readonly freshMs?: number
}

interface Counter {
  readonly startedAt: number
  spent: AmountSpent
}

/**
 * What a user may spend per day and month (UTC) in all turns together, sub-agents and summaries included. It counts in
 * memory what the ledger records, so that a check costs nothing.
 */
export class Allowance {
  readonly #options: AllowanceOptions
  readonly #counters: Record<SpendingPeriod, Counter>
  readonly #warned = new Set<string>()
  #loading: Promise<void> | undefined
  #loadedAt = -Infinity

  constructor(options: AllowanceOptions) {
    this.#options = options
    this.#counters = { day: this.#open('day'), month: this.#open('month') }
  }

  /** Reads what was spent before. To be awaited before anything is spent; costs nothing while that is fresh. */
  async ready(): Promise<void> {
    const { clock, freshMs = Infinity } = this.#options
    if (clock.now() - this.#loadedAt < freshMs) return
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    await this.#loading
  }

  async #load(): Promise<void> {
    const at = this.#options.clock.now()
    for (const period of PERIODS) {
      const counter = this.#current(period)
      const before = counter.spent
      const { usd, tokens } = await this.#options.load(counter.startedAt)
      // What is spent meanwhile may be in the ledger or not: it is counted, at worst twice.
      const { spent } = counter
      counter.spent = { usd: usd + spent.usd - before.usd, tokens: tokens + spent.tokens - before.tokens }
    }
    this.#loadedAt = at
  }

  spend({ inputTokens, outputTokens, chargedUsd, estimatedUsd }: Usage): void {
    for (const period of PERIODS) {
      const counter = this.#current(period)
      counter.spent = {
        usd: counter.spent.usd + chargedUsd + estimatedUsd,
        tokens: counter.spent.tokens + inputTokens + outputTokens,
      }
    }
  }

  /** What was spent in this day or month. */
  spent(period: SpendingPeriod): AmountSpent {
    return this.#current(period).spent
  }

  /** The first limit that is used up. */
  reached(): SpendingLimit | undefined {
    return this.#limits().find(({ used, limit }) => !(used < limit))
  }

  /** A limit of which most is used up: each once in its day or month. */
  takeWarning(): SpendingLimit | undefined {
    return this.#limits().find((one) => {
      if (!(one.used >= one.limit * WARN_AT)) return false
      const key = `${one.period} ${one.unit} ${one.limit} ${this.#current(one.period).startedAt}`
      if (this.#warned.has(key)) return false
      this.#warned.add(key)
      return true
    })
  }

  #limits(): readonly SpendingLimit[] {
    const limits = this.#options.limits()
    return FIELDS.flatMap(([field, period, unit]) => {
      const limit = limits[field]
      return limit === undefined ? [] : [{ period, unit, limit, used: this.spent(period)[unit] }]
    })
  }

  #current(period: SpendingPeriod): Counter {
    const counter = this.#counters[period]
    if (counter.startedAt === startOf(period, this.#options.clock.now())) return counter
    return (this.#counters[period] = this.#open(period))
  }

  #open(period: SpendingPeriod): Counter {
    return { startedAt: startOf(period, this.#options.clock.now()), spent: NOTHING }
  }
}

const PERIODS = ['day', 'month'] as const

const FIELDS = [
  ['usdPerDay', 'day', 'usd'],
  ['tokensPerDay', 'day', 'tokens'],
  ['usdPerMonth', 'month', 'usd'],
  ['tokensPerMonth', 'month', 'tokens'],
] as const

function startOf(period: SpendingPeriod, now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === 'day' ? date.getUTCDate() : 1)
}
