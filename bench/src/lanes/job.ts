import type { ExtraName } from '../measures/extra.ts'
import type { ScenarioName } from '../measures/prefix-scenarios.ts'
import type { TimeOptions } from '../measures/time-turns.ts'

/** A job for a lane. Jobs and answers cross a process boundary. */
export type Job =
  | ({ readonly type: 'time' } & TimeOptions)
  | { readonly type: 'prefix'; readonly scenario: ScenarioName }
  | { readonly type: 'schema' }
  | { readonly type: 'sessions' }
  | { readonly type: 'app-requests' }
  | { readonly type: 'connect' }
  | { readonly type: 'extra'; readonly extra: ExtraName }

/** An answer of a lane. The first one means that the subject is loaded; its type follows from the job. */
export type LaneMessage<Answer = never> =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'broken'; readonly reason: string }
