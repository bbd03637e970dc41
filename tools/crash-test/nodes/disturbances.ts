import type { Random } from '../random.ts'
import { createRandom } from '../random.ts'

/** What can happen to a node or to the database. */
export const DISTURBANCES = [
  'kill', // SIGKILL
  'drain', // SIGTERM
  'nap', // SIGSTOP, and SIGCONT before anybody takes it for dead
  'freeze', // SIGSTOP, and SIGCONT after the others have taken over
  'cut', // every connection of a node to the database ends
  'restart', // PostgreSQL stops and starts
  'crash', // PostgreSQL ends without a checkpoint, and recovers
] as const

/** One disturbance of a round. */
export interface Disturbance {
  readonly kind: (typeof DISTURBANCES)[number]
  /** It comes after so many events and effects. */
  readonly after: number
  /** A little later, so that it falls between them. */
  readonly delayMs: number
  /** Which node: one that runs a turn, if there is one, else any. */
  readonly isOwner: boolean
  /** How long the node is away. */
  readonly awayMs: number
  /** Whether the node comes back under its name, as a service does, or another one takes its place. */
  readonly keepsName: boolean
}

/** Three of four disturb a node that works. */
const WEIGHTS: Readonly<Record<Disturbance['kind'], number>> = {
  kill: 9,
  drain: 2,
  nap: 4,
  freeze: 0,
  cut: 5,
  restart: 2,
  crash: 2,
}
const KINDS = DISTURBANCES.flatMap((kind) => Array<Disturbance['kind']>(WEIGHTS[kind]).fill(kind))

/** A freeze takes most of a minute's quarter, so only every eighth round has one. */
const FREEZE_EVERY = 8

/** The disturbances of a round, in order. The first round has a freeze. */
export function planDisturbances(seed: number, round: number): readonly Disturbance[] {
  const random = createRandom(seed, round, 'disturbances')
  const count = random.int(2, 4)
  const plan: Disturbance[] = []
  let after = 0
  for (let n = 0; n < count; n++) {
    after += random.int(2, 50)
    plan.push(createDisturbance(random, random.pick(KINDS), after))
  }
  if (round % FREEZE_EVERY !== 1) return plan
  // First, because the turns that it stops take the longest.
  return plan.map((one, n) => (n === 0 ? { ...one, kind: 'freeze', isOwner: true } : one))
}

const createDisturbance = (random: Random, kind: Disturbance['kind'], after: number): Disturbance => ({
  kind,
  after,
  delayMs: random.int(0, 25),
  isOwner: random.chance(0.75),
  awayMs: kind === 'nap' ? random.int(50, 1_500) : random.int(0, 1_000),
  keepsName: random.chance(0.5),
})
