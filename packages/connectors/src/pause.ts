import type { Clock } from '@capstan/harness/seams'
import { untilAborted } from './until-aborted.ts'

/** Waits. Rejects with the reason of the abort. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const waited = Promise.withResolvers<void>()
  const takeBack = clock.after(ms, waited.resolve)
  return untilAborted(waited.promise, signal).finally(takeBack)
}
