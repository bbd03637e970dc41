import { createRandom } from '../crash-test/random.ts'
import { toRoutingKey } from './routing.ts'

/** What is simulated. */
export interface PopulationOptions {
  readonly threads: number
  readonly users: number
  /** The exponent of Zipf's law: the user of rank r has a share of threads that falls with 1 / r^skew. 0: all the same. */
  readonly skew: number
  /** So many users are busier than their threads say … */
  readonly hotUsers: number
  /** … and together make this part of all turns. */
  readonly hotShare: number
  readonly seed: number
}

/** The users, by their rank: the first has the most threads. */
export interface Population {
  readonly keys: Float64Array
  readonly threads: Uint32Array
  /** The part of all turns that a user makes. */
  readonly load: Float64Array
}

const SECRET = 'of the simulated installation'

export function createPopulation(options: PopulationOptions): Population {
  const { users, hotUsers, hotShare } = options
  const keys = Float64Array.from({ length: users }, (_, rank) => toRoutingKey(`user-${rank}`, SECRET))
  const threads = shareOut(options)
  const random = createRandom(options.seed, 'hot')
  const load = Float64Array.from(threads, (count) => ((1 - hotShare) * count) / options.threads)
  for (let n = 0; n < hotUsers; n++) {
    const rank = random.int(0, users - 1)
    load[rank] = load[rank]! + hotShare / hotUsers
  }
  return { keys, threads, load }
}

/** How many threads each user has. Their sum is exact: what is left of a share goes on to the next user. */
function shareOut({ threads, users, skew }: PopulationOptions): Uint32Array {
  let total = 0
  for (let rank = 1; rank <= users; rank++) total += rank ** -skew
  let given = 0
  let due = 0
  return Uint32Array.from({ length: users }, (_, rank) => {
    due += (threads * (rank + 1) ** -skew) / total
    const count = (rank === users - 1 ? threads : Math.round(due)) - given
    given += count
    return count
  })
}
