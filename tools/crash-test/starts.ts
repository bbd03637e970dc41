import type { Fault, FaultPoint } from '@capstan/harness/testing'
import { FAULT_POINTS } from '@capstan/harness/testing'
import type { Damage } from './damage-log.ts'
import { DAMAGES } from './damage-log.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'

/** How one start of the process runs and ends. */
export interface Start {
  /** Faults inside the process. */
  readonly faults: readonly Fault[]
  /** The parent sends this signal some time after the start, or after the process reported that it is up. */
  readonly end?: {
    readonly signal: 'SIGKILL' | 'SIGTERM'
    readonly since: 'start' | 'up'
    readonly afterMs: number
  }
  /** Who answers approvals: the process at once, its parent, or a later start. */
  readonly answers: 'at-once' | 'by-parent' | 'later'
  /** The client misses this many events after every this many events; 0: none. */
  readonly awayEvery: number
  /** Messages of before are sent again, as by a client that lost the acknowledgement. */
  readonly repeats: boolean
  /** Nothing asks in this start: the person has switched the mode. Questions from before stay open. */
  readonly isFree?: boolean
  /** The safety mode at the start. Default `full`. */
  readonly mode?: 'supervised' | 'full'
  /** The person stops turns, switches modes and disconnects the app at random moments. */
  readonly isRestless?: boolean
  /** The app answers nothing but 503. */
  readonly isAppAway?: boolean
  /** What happens to the write-ahead log before this start. */
  readonly damage?: Damage
}

/** The starts of a round. The last one has no faults. */
export function createStarts(seed: number, round: number): readonly Start[] {
  const random = createRandom(seed, round, 'starts')
  const starts: Start[] = []
  const kills = random.int(1, 4)
  for (let n = 0; n < kills; n++) {
    const behaviour = createBehaviour(random)
    if (random.chance(0.25)) {
      starts.push({ ...behaviour, faults: [], end: createEnd(random) })
    } else starts.push({ ...behaviour, faults: createFaults(random) })
  }
  return [...starts, createLast(random)]
}

/** Starts that are killed while sub-agents work. The last one has no faults. */
export function createKills(seed: number, round: number): readonly Start[] {
  const random = createRandom(seed, round, 'kills')
  const starts = Array.from({ length: random.int(4, 8) }, (): Start => ({
    ...createBehaviour(random),
    faults: [],
    end: { signal: 'SIGKILL', since: 'up', afterMs: random.int(50, 900) },
  }))
  return [...starts, createLast(random)]
}

const createLast = (random: Random): Start => ({
  ...createBehaviour(random),
  faults: [],
  answers: random.pick(['at-once', 'by-parent']),
})

/** What a person, an app and a disk do beside the kills. The last start has an app that answers. */
export function addTrouble(starts: readonly Start[], seed: number, round: number): readonly Start[] {
  const random = createRandom(seed, round, 'trouble')
  const isDamaged = random.chance(0.3)
  return starts.map((start, n) => {
    const isLast = n === starts.length - 1
    const damage = isDamaged && n > 0 && random.chance(0.6) ? random.pick(DAMAGES) : undefined
    return {
      ...start,
      isFree: random.chance(0.5),
      mode: random.chance(0.4) ? 'supervised' : 'full',
      isRestless: random.chance(0.6),
      isAppAway: !isLast && random.chance(0.15),
      ...(damage && { damage }),
    }
  })
}

function createEnd(random: Random): NonNullable<Start['end']> {
  // While it opens the store and resumes unfinished turns.
  if (random.chance(0.3)) return { signal: 'SIGKILL', since: 'start', afterMs: random.int(60, 260) }
  return { signal: random.chance(0.75) ? 'SIGKILL' : 'SIGTERM', since: 'up', afterMs: random.int(0, 90) }
}

function createBehaviour(random: Random): Omit<Start, 'faults' | 'end'> {
  return {
    answers: random.pick(['at-once', 'at-once', 'by-parent', 'later']),
    awayEvery: random.chance(0.3) ? random.int(3, 40) : 0,
    repeats: random.chance(0.5),
  }
}

/** About how often each point is reached in a usual round. A fault beyond that never strikes. */
const REACH: Readonly<Record<FaultPoint | 'any', number>> = {
  'store.commit': 90,
  'store.sync': 40,
  'store.read': 40,
  'model.stream': 14,
  'model.part': 90,
  'tool.before': 12,
  'tool.after': 12,
  emit: 150,
  any: 400,
}

function createFaults(random: Random): readonly Fault[] {
  const faults: Fault[] = []
  if (random.chance(0.2)) {
    const point = random.pick(['store.sync', 'store.commit', 'emit', 'model.part', 'tool.before'] as const)
    const at = random.int(1, 20)
    faults.push({ point, at, times: random.int(1, 15), action: 'delay', delay: random.int(1, 8) })
  }
  if (random.chance(0.15)) {
    const point = random.pick([
      'store.commit',
      'store.sync',
      'store.read',
      'model.stream',
      'model.part',
    ] as const)
    faults.push({ point, at: toCount(random, REACH[point]), action: 'fail' })
  } else {
    const point = random.pick([...FAULT_POINTS, 'store.commit', 'tool.before', 'tool.after', 'any'] as const)
    const action = random.pick(['kill', 'kill-after', 'kill-after'] as const)
    faults.push({ point, at: toCount(random, REACH[point]), action })
  }
  return faults
}

/** Small numbers are more likely, because a restarted process has less left to do. */
const toCount = (random: Random, reach: number) =>
  Math.max(1, Math.ceil((reach * random.int(1, 100) * random.int(1, 100)) / 10_000))
