import type { Usage } from '@capstan/protocol'

/** A caller's own condition for stopping, checked before each iteration. Must be cheap and must not throw. */
export interface StopHook {
  readonly name: string
  /** The reason to stop, in words for the user; undefined continues. */
  stop(state: {
    readonly iteration: number
    readonly maxIterations: number
    readonly usage: Usage
    readonly model: string
  }): string | undefined
}
