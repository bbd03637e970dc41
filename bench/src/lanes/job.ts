import type { ExtraName } from '../measures/extra.ts'
import type { ScenarioName } from '../measures/prefix-scenarios.ts'
import type { TimeOptions } from '../measures/time-turns.ts'

/** What a lane can be asked to do. Crosses a process boundary, as does what comes back. */
export type Job =
  | ({ readonly type: 'time' } & TimeOptions)
  | { readonly type: 'prefix'; readonly scenario: ScenarioName }
  | { readonly type: 'schema' }
  | { readonly type: 'connect' }
  | { readonly type: 'extra'; readonly extra: ExtraName }

/** The first answer says that the subject is loaded. Who receives one knows its type from what was asked. */
export type LaneMessage<Answer = never> =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'broken'; readonly reason: string }
