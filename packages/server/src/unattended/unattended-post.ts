import type { UnattendedOrigin } from '@capstan/harness'
import type { BudgetLimits } from '@capstan/harness/seams'

/** A message that starts a turn while nobody looks. It never comes from a client. */
export interface UnattendedPost {
  readonly messageId: string
  readonly text: string
  readonly origin: UnattendedOrigin
  readonly untrusted?: { readonly source: string; readonly text: string }
  readonly budget?: BudgetLimits
}
