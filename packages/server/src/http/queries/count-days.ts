import { setImmediate } from 'node:timers/promises'
import type { Store } from '@capstan/harness/stores'
import { sumUsage } from '@capstan/harness/stores'
import type { FailureClass, Stats, StatsDay, ThreadId, ThreadRow, TurnEvent, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { allThreads } from './all-threads.ts'

const PAGE = 1000
/** Older threads are left out, so that the page opens in time. */
const MAX_THREADS = 2000
const THREADS_AT_ONCE = 50
const DAY_MS = 86_400_000

/** The counts of one thread on one day. */
interface Day {
  turns: number
  failed: number
  breaks: number
  readonly models: Map<string, { calls: number; usage: Usage }>
  readonly failures: Map<FailureClass, number>
}

interface ThreadCounts {
  seq: number
  /** Running turns; runs of sub-agents are not in it. */
  readonly turns: Set<string>
  readonly days: Map<string, Day>
}

/** The numbers of the Runs page. Each event is read and counted once. */
export interface DayCounter {
  read(store: Store, userId: string, days: number, now?: number): Promise<Stats>
}

export function createDayCounter(): DayCounter {
  const perStore = new WeakMap<Store, Map<ThreadId, ThreadCounts>>()

  return {
    async read(store, userId, days, now = Date.now()) {
      const perThread = perStore.get(store) ?? new Map<ThreadId, ThreadCounts>()
      perStore.set(store, perThread)
      const wanted = lastDays(days, now)
      const sum = new Map(wanted.map((day) => [day, newDay()]))
      const since = new Date(`${wanted[0]!}T00:00`).getTime()
      for (const [index, { id }] of (await threadsSince(store, userId, since)).entries()) {
        if (index % THREADS_AT_ONCE === 0) await setImmediate() // lets other requests run
        const counts = perThread.get(id) ?? { seq: 0, turns: new Set(), days: new Map() }
        perThread.set(id, counts)
        await catchUp(store, id, counts)
        for (const [day, counted] of counts.days) merge(sum.get(day), counted)
      }
      return toStats(sum)
    },
  }
}

async function threadsSince(store: Store, userId: string, since: number): Promise<readonly ThreadRow[]> {
  const found: ThreadRow[] = []
  for (const archived of [false, true])
    for await (const thread of allThreads((query) => store.threads.list({ userId, ...query }), archived)) {
      if (thread.updatedAt < since || found.length >= MAX_THREADS) break
      found.push(thread)
    }
  return found
}

async function catchUp(store: Store, threadId: ThreadId, counts: ThreadCounts): Promise<void> {
  for (;;) {
    const events = await store.ledger.readEvents(threadId, counts.seq, PAGE)
    // Two requests may read at the same time: each event counts once.
    for (const event of events) if (event.seq > counts.seq) count(counts, event)
    if (events.length < PAGE) return
    await setImmediate() // lets other requests run
  }
}

function count(counts: ThreadCounts, event: TurnEvent): void {
  counts.seq = event.seq
  const key = toDay(event.at)
  let day = counts.days.get(key)
  if (!day) counts.days.set(key, (day = newDay()))
  if (event.type === 'turn-start' && event.depth === 0) {
    counts.turns.add(event.runId)
    day.turns++
  } else if (event.type === 'usage-update') {
    const known = day.models.get(event.model)
    const usage = known ? sumUsage(known.usage, event.call) : event.call
    day.models.set(event.model, { calls: (known?.calls ?? 0) + 1, usage })
  } else if (event.type === 'tool-end' || event.type === 'model-retry') addFailure(day, event.failure?.class)
  else if (event.type === 'prefix-break') day.breaks++
  else if (event.type === 'turn-end' && counts.turns.delete(event.runId) && event.outcome.type === 'failed') {
    day.failed++
    addFailure(day, event.outcome.failure.class)
  }
}

function addFailure({ failures }: Day, kind: FailureClass | undefined, times = 1): void {
  if (kind !== undefined) failures.set(kind, (failures.get(kind) ?? 0) + times)
}

function merge(into: Day | undefined, day: Day): void {
  if (!into) return
  into.turns += day.turns
  into.failed += day.failed
  into.breaks += day.breaks
  for (const [kind, times] of day.failures) addFailure(into, kind, times)
  for (const [model, { calls, usage }] of day.models) {
    const known = into.models.get(model)
    into.models.set(model, {
      calls: (known?.calls ?? 0) + calls,
      usage: known ? sumUsage(known.usage, usage) : usage,
    })
  }
}

function toStats(sum: ReadonlyMap<string, Day>): Stats {
  const all = newDay()
  for (const day of sum.values()) merge(all, day)
  const models = [...all.models].map(([model, { calls, usage }]) => ({ model, calls, usage }))
  const failures = [...all.failures].map(([kind, times]) => ({ class: kind, count: times }))
  return {
    days: [...sum].map(([day, counted]) => toStatsDay(day, counted)),
    models: models.toSorted((a, b) => b.calls - a.calls),
    failures: failures.toSorted((a, b) => b.count - a.count),
    prefix: { calls: models.reduce((total, { calls }) => total + calls, 0), breaks: all.breaks },
  }
}

function toStatsDay(day: string, { turns, failed, models }: Day): StatsDay {
  const usage = [...models.values()].reduce((total, one) => sumUsage(total, one.usage), NO_USAGE)
  const { inputTokens, cachedInputTokens, outputTokens, chargedUsd, estimatedUsd } = usage
  return { day, turns, failed, inputTokens, cachedInputTokens, outputTokens, usd: chargedUsd + estimatedUsd }
}

const newDay = (): Day => ({ turns: 0, failed: 0, breaks: 0, models: new Map(), failures: new Map() })

/** In the server's time zone. */
function toDay(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function lastDays(days: number, now: number): string[] {
  // From noon, so that daylight saving time neither repeats nor skips a day.
  const noon = new Date(now).setHours(12, 0, 0, 0)
  return Array.from({ length: days }, (_, index) => toDay(noon - (days - 1 - index) * DAY_MS))
}
