import type { Fault } from '@capstan/harness/testing'
import { MISFIRE_RULES, TRIGGER_ACTIONS, WEBHOOK_KINDS } from '@capstan/protocol'
import type { Random } from '../random.ts'
import { createRandom } from '../random.ts'
import { TROUBLES } from './mark.ts'
import type { PlannedSchedule, SetUp } from './messages.ts'
import type { Occurrence } from './send-hook.ts'
import type { AppFault, AppKind } from './synced-app.ts'
import { APP_KINDS } from './synced-app.ts'
import { WHENS } from './due-times.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** One thing that happens to the processes or to what is around them. */
export type UnattendedStep =
  /** `copies` are sent at once. */
  | { readonly type: 'hook'; readonly occurrence: Occurrence; readonly copies: number }
  | {
      readonly type: 'edit'
      readonly app: AppKind
      readonly writes: readonly number[]
      readonly removals: number
    }
  | { readonly type: 'app-faults'; readonly faults: readonly AppFault[] }
  /** Time passes. `settles`: only when everything that is due has been done. */
  | { readonly type: 'jump'; readonly ms: number; readonly settles: boolean }
  /** Time passes until shortly after the next quarter of an hour. */
  | { readonly type: 'quarter'; readonly lateMs: number }
  | { readonly type: 'settle' }
  | { readonly type: 'answer' }
  | { readonly type: 'pause'; readonly ms: number }

/** How one start ends. Without any of these it lasts to the end of the round. */
export interface UnattendedStart {
  readonly faults: readonly Fault[]
  /** Killed when an app is asked for the n-th time. */
  readonly killAtRequest?: number
  /** Killed when the n-th hook was sent, or answered. */
  readonly killAtHook?: { readonly n: number; readonly when: 'sent' | 'answered' }
  /** How many steps it lives for at most, and how it is ended then. */
  readonly steps?: number
  readonly signal: 'SIGKILL' | 'SIGTERM'
}

/** What happens in a round while nobody looks. */
export interface UnattendedPlan {
  /** The time at the beginning. */
  readonly beginsAt: number
  readonly setUp: SetUp
  readonly pageSize: number
  /** Items that each app holds at the beginning. */
  readonly items: number
  readonly steps: readonly UnattendedStep[]
  readonly starts: readonly UnattendedStart[]
}

export function planRound(seed: number, round: number): UnattendedPlan {
  const random = createRandom(seed, round, 'unattended')
  const starts = Array.from({ length: random.int(2, 5) }, () => createStart(random))
  return {
    beginsAt: createBeginning(random),
    setUp: {
      schedules: Array.from({ length: random.int(1, 3) }, (_, n) => createSchedule(random, n)),
      kinds: WEBHOOK_KINDS,
      apps: APP_KINDS.filter((kind) => kind === 'changes' || random.chance(0.6)),
      pages: random.pick([2, 4, 200]),
    },
    pageSize: random.int(3, 8),
    items: random.int(10, 30),
    steps: createSteps(random),
    starts: [...starts, { faults: [], signal: 'SIGTERM' }],
  }
}

/** Often a day before the clocks change. */
function createBeginning(random: Random): number {
  const changes = ['2026-03-28', '2026-10-24', '2027-03-13', '2026-10-31']
  const day = random.chance(0.5) ? random.pick(changes) : '2027-01-04'
  return Date.parse(`${day}T00:00:00Z`) + random.int(0, 24 * 60) * MINUTE
}

function createSchedule(random: Random, n: number): PlannedSchedule {
  return {
    name: `s${n}`,
    when: random.pick(WHENS),
    zone: random.pick(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']),
    misfire: random.pick(MISFIRE_RULES),
    prompt: random.chance(0.3) ? 'Look around, then WRITE it down.' : 'Look around.',
  }
}

function createSteps(random: Random): readonly UnattendedStep[] {
  const occurrences: Occurrence[] = []
  return Array.from({ length: random.int(18, 34) }, () => createStep(random, occurrences))
}

function createStep(random: Random, occurrences: Occurrence[]): UnattendedStep {
  switch (random.int(1, 12)) {
    case 1:
    case 2:
    case 3:
    case 4:
      return createHook(random, occurrences)
    case 5:
    case 6:
      return {
        type: 'edit',
        app: random.pick(APP_KINDS),
        writes: Array.from({ length: random.int(1, 6) }, () => random.int(1, 40)),
        removals: random.int(0, 3),
      }
    case 7:
      return { type: 'quarter', lateMs: random.int(1, 9 * MINUTE) }
    case 8:
      return { type: 'quarter', lateMs: random.int(1, 4 * MINUTE) }
    case 9:
      return { type: 'jump', ms: createGap(random), settles: random.chance(0.7) }
    case 10:
      return { type: 'settle' }
    case 11:
      return random.chance(0.5)
        ? { type: 'answer' }
        : {
            type: 'app-faults',
            faults: Array.from({ length: random.int(1, 5) }, () => random.pick(['busy', 'drops', 'hangs'])),
          }
    default:
      return { type: 'pause', ms: random.int(0, 60) }
  }
}

const createGap = (random: Random): number =>
  random.chance(0.6) ? random.int(5 * MINUTE, 2 * HOUR) : random.int(2 * HOUR, 50 * HOUR)

function createHook(random: Random, occurrences: Occurrence[]): UnattendedStep {
  const copies = random.chance(0.3) ? random.int(2, 3) : 1
  if (occurrences.length > 0 && random.chance(0.25))
    return { type: 'hook', occurrence: random.pick(occurrences), copies }
  const occurrence: Occurrence = {
    n: occurrences.length + 1,
    kind: random.pick(WEBHOOK_KINDS),
    label: random.pick([...TRIGGER_ACTIONS, 'react', 'escalate'] as const),
    trouble: random.chance(0.3) ? random.pick(TROUBLES) : 'none',
    isHostile: random.chance(0.3),
  }
  occurrences.push(occurrence)
  return { type: 'hook', occurrence, copies }
}

function createStart(random: Random): UnattendedStart {
  const steps = random.int(3, 10)
  const signal = random.chance(0.8) ? 'SIGKILL' : 'SIGTERM'
  const usual = { faults: [], steps, signal } as const
  switch (random.int(1, 6)) {
    case 1:
      return { ...usual, killAtRequest: random.int(1, 25) }
    case 2:
      return {
        ...usual,
        killAtHook: { n: random.int(1, 4), when: random.pick(['sent', 'answered']) },
      }
    case 3:
      return usual
    default:
      return { ...usual, faults: [createFault(random)] }
  }
}

/** About how often each point is reached in a start. */
const REACH = {
  'store.commit': 140,
  'model.stream': 12,
  'model.part': 24,
  'tool.before': 6,
  'tool.after': 6,
} as const

function createFault(random: Random): Fault {
  const points = [
    'store.commit',
    'store.commit',
    'store.commit',
    ...Object.keys(REACH),
  ] as (keyof typeof REACH)[]
  const point = random.pick(points)
  return { point, at: random.int(1, REACH[point]), action: random.pick(['kill', 'kill-after']) }
}
