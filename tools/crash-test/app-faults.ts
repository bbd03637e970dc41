import { createRandom } from './random.ts'

/** How an app may fail a call. */
const APP_FAULTS = ['502', '503', '504', 'broken', 'page', 'internal', 'lost', 'drops', 'hangs'] as const

/** The fault of one call. `acts`: what was asked for is done all the same. */
export interface AppFault {
  readonly kind: (typeof APP_FAULTS)[number]
  readonly acts: boolean
}

/** The fault that a call with this tag meets. It depends only on the tag, so that a round can be run again. */
export function faultOf(tag: string): AppFault | undefined {
  const random = createRandom(tag, 'app')
  if (!random.chance(0.4)) return undefined
  return { kind: random.pick(APP_FAULTS), acts: random.chance(0.6) }
}
