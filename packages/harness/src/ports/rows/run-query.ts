import { StoreError } from '../../turn/errors.ts'
import type { RunQuery } from '../store.ts'

/** Throws a `StoreError` for a list of runs without a user, which would otherwise look like a user without runs. */
export function checkRunQuery({ userId }: Partial<RunQuery>): void {
  if (userId) return
  throw new StoreError('invalid', 'A list of runs needs a userId: runs are listed for one user.')
}
