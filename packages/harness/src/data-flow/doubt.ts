import type { FoundCell } from './source-index.ts'

/** Why a call is not allowed without a question. */
export interface Doubt {
  readonly rule: string
  readonly values: readonly string[]
  readonly cells: readonly FoundCell[]
}
