import type { Usage } from '@capstan/protocol'

/** A reason of the caller's own to stop, asked before each iteration. Must be cheap and must not throw. */
export interface StopHook {
  readonly name: string
  /** Why to stop, in words for the user; undefined goes on. */
  stop(state: {
    readonly iteration: number
    readonly maxIterations: number
    readonly usage: Usage
    readonly model: string
  }): string | undefined
}
