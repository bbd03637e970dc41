import type { Room } from './locale.ts'

/** Rooms whose translations may lack keys for now: English stands in. Empty in anything we release. */
export const ROOMS_IN_PROGRESS = [
  'ui',
  'shell',
  'settings',
  'chat',
  'timeline',
  'approvals',
  'connections',
  'runs',
] as const satisfies readonly Room[]
