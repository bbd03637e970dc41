import type { AnswerKind } from './answers.ts'
import type { Loop } from './script.ts'

export interface Workload extends Loop {
  /** Pieces of text must reach a listener while the turn runs. */
  readonly streams: boolean
  readonly answers: AnswerKind
  /** How many agents pass the question on, before the last one makes the calls. */
  readonly delegations?: number
}

export const WORKLOAD_NAMES = [
  'loop10',
  'loop200',
  'stream',
  'parallel8',
  'json200',
  'json2k',
  'log16k',
  'parallel8json',
  'nested3',
] as const

export type WorkloadName = (typeof WORKLOAD_NAMES)[number]

const LOOP10 = {
  iterations: 10,
  callsPerIteration: 1,
  deltasPerIteration: 0,
  streams: false,
  answers: 'line',
} as const

export const WORKLOADS = {
  loop10: LOOP10,
  loop200: { ...LOOP10, iterations: 200 },
  stream: { ...LOOP10, deltasPerIteration: 50, streams: true },
  parallel8: { ...LOOP10, callsPerIteration: 8 },
  json200: { ...LOOP10, answers: 'json200' },
  json2k: { ...LOOP10, answers: 'json2k' },
  log16k: { ...LOOP10, answers: 'log16k' },
  nested3: { ...LOOP10, iterations: 3, delegations: 3 },
  parallel8json: { ...LOOP10, callsPerIteration: 8, answers: 'json200' },
} as const satisfies Record<WorkloadName, Workload>
