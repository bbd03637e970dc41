import type { Loop } from './script.ts'

export interface Workload extends Loop {
  /** Pieces of text must reach a listener while the turn runs. */
  readonly streams: boolean
}

export const WORKLOAD_NAMES = ['loop10', 'loop200', 'stream', 'parallel8'] as const

export type WorkloadName = (typeof WORKLOAD_NAMES)[number]

export const WORKLOADS = {
  loop10: { iterations: 10, callsPerIteration: 1, deltasPerIteration: 0, streams: false },
  loop200: { iterations: 200, callsPerIteration: 1, deltasPerIteration: 0, streams: false },
  stream: { iterations: 10, callsPerIteration: 1, deltasPerIteration: 50, streams: true },
  parallel8: { iterations: 10, callsPerIteration: 8, deltasPerIteration: 0, streams: false },
} as const satisfies Record<WorkloadName, Workload>
