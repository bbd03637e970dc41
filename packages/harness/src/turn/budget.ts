import type { Allowance } from './allowance.ts'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { Cap, SpendingLimit, Usage } from '@capstan/protocol'
import type { Clock } from './clock.ts'

/** What a run and everything below it may use. An absent limit is no limit. */
export interface BudgetLimits {
  /** Model calls. */
  readonly iterations?: number
  /** Input and output tokens. */
  readonly tokens?: number
  readonly usd?: number
  readonly wallClockMs?: number
}

type Counted = (typeof COUNTED)[number]

/** What was used of a budget before its run was interrupted. */
export interface Spent {
  readonly iterations: number
  readonly usage: Usage
  readonly elapsedMs: number
}

/**
 * The limits of a tree of runs. What a child spends counts for its parent, too. The share of a child is reserved until
 * the child closes; then the unused part returns. A limit that is not a positive number is exhausted from the start.
 */
export class Budget {
  readonly limits: BudgetLimits
  readonly #clock: Clock
  readonly #parent: Budget | undefined
  readonly #allowance: Allowance | undefined
  #startedAt: number
  #pausedAt: number | undefined
  #pauses = 0
  readonly #children = new Set<Budget>()
  #iterations = 0
  #usage: Usage

  constructor(
    limits: BudgetLimits,
    clock: Clock,
    { parent, spent, allowance }: { parent?: Budget; spent?: Spent; allowance?: Allowance } = {},
  ) {
    this.limits = limits
    this.#clock = clock
    this.#parent = parent
    this.#allowance = parent ? parent.#allowance : allowance
    this.#startedAt = clock.monotonic() - (spent?.elapsedMs ?? 0)
    this.#iterations = spent?.iterations ?? 0
    this.#usage = spent?.usage ?? NO_USAGE
  }

  /** Counts one model call. */
  spend(usage: Usage): void {
    this.#iterations++
    this.#usage = sumUsage(this.#usage, usage)
    if (this.#parent) this.#parent.spend(usage)
    else this.#allowance?.spend(usage)
  }

  /** What this run and every run below it have used. */
  get usage(): Usage {
    return this.#usage
  }

  #spent(kind: Counted): number {
    if (kind === 'iterations') return this.#iterations
    if (kind === 'usd') return costOf(this.#usage)
    return this.#usage.inputTokens + this.#usage.outputTokens
  }

  /**
   * Stops the wall clock, here and above, until the returned function is called: for the time a person needs to answer.
   * Overlapping pauses count once.
   */
  pause(): () => void {
    if (this.#pauses++ === 0) this.#pausedAt = this.#clock.monotonic()
    const resumeParent = this.#parent?.pause()
    return () => {
      if (--this.#pauses === 0) {
        this.#startedAt += this.#clock.monotonic() - this.#pausedAt!
        this.#pausedAt = undefined
      }
      resumeParent?.()
    }
  }

  /** What the run has used of its wall clock. */
  get elapsedMs(): number {
    return (this.#pausedAt ?? this.#clock.monotonic()) - this.#startedAt
  }

  /** Milliseconds until the wall clock ends this run or one above it; Infinity when nothing limits it. */
  remainingMs(): number {
    const { wallClockMs = Infinity } = this.limits
    const own = Math.max(0, wallClockMs - this.elapsedMs)
    return this.#parent ? Math.min(own, this.#parent.remainingMs()) : own
  }

  /** The first exhausted limit, here or above, or undefined. */
  exhausted(): Cap | undefined {
    for (const kind of COUNTED) {
      const limit = this.limits[kind]
      if (limit !== undefined && !(this.#spent(kind) < limit)) return toCap(kind, limit)
    }
    const { wallClockMs } = this.limits
    if (wallClockMs !== undefined && !(this.elapsedMs < wallClockMs)) {
      return toCap('wall-clock', wallClockMs)
    }
    const overspent = this.overspent()
    return overspent ? toCap(overspent.unit, overspent.limit) : this.#parent?.exhausted()
  }

  /** The limit of the user over all turns that is used up, or undefined. */
  overspent(): SpendingLimit | undefined {
    return this.#allowance?.reached()
  }

  /** A limit of the user of which most is used up; each is returned once. */
  takeWarning(): SpendingLimit | undefined {
    return this.#allowance?.takeWarning()
  }

  /** Reserves a share for a child: at most `share` of what is free, and never more than `limits`. */
  grant(limits: BudgetLimits = {}, share = 0.5): Budget {
    const granted: { -readonly [K in keyof BudgetLimits]: BudgetLimits[K] } = {}
    for (const kind of COUNTED) {
      const free = this.#free(kind)
      const fair = kind === 'iterations' ? Math.ceil(free * share) : free * share
      const limit = Math.min(limits[kind] ?? Infinity, fair)
      if (limit !== Infinity) granted[kind] = limit
    }
    if (limits.wallClockMs !== undefined) granted.wallClockMs = limits.wallClockMs
    return this.#add(granted)
  }

  /** Restores the share of an interrupted child. Its parent has counted what the child spent. */
  regrant(granted: BudgetLimits, spent: Spent): Budget {
    return this.#add(granted, spent)
  }

  #add(granted: BudgetLimits, spent?: Spent): Budget {
    const child = new Budget(granted, this.#clock, { parent: this, spent })
    this.#children.add(child)
    return child
  }

  /** The run is over: the unused part returns to its parent. */
  close(): void {
    if (this.#parent) this.#parent.#children.delete(this)
  }

  #free(kind: Counted): number {
    const limit = this.limits[kind]
    let free = limit === undefined ? Infinity : limit - this.#spent(kind)
    for (const child of this.#children) {
      const reserved = child.limits[kind]
      if (reserved !== undefined) free -= Math.max(0, reserved - child.#spent(kind))
    }
    return Math.max(0, free)
  }
}

const COUNTED = ['iterations', 'tokens', 'usd'] as const

// A cap is stored as JSON, which has no NaN.
const toCap = (kind: Cap['kind'], limit: number): Cap => ({ kind, limit: Number.isFinite(limit) ? limit : 0 })

function costOf(usage: Usage): number {
  return usage.chargedUsd + usage.estimatedUsd
}
