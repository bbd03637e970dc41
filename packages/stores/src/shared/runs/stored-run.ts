import type { RunId, RunRow, WaitsFor } from '@capstan/protocol'

/** A run as it is kept: the row a screen reads, and what it is found by. */
export interface StoredRun {
  readonly row: RunRow
  readonly thread: number
  readonly userId: string
  /** The turn it belongs to. */
  readonly root: RunId
  readonly messageId: string | undefined
  /** The thread's last event before it started. */
  readonly fromSeq: number
}

/** What a waiting run is found by. */
export const toWaitKey = ({ kind, id }: WaitsFor): string => `${kind} ${id.toWellFormed()}`
