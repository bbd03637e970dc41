import type { WaitsFor } from '@capstan/protocol'
import type { Archive } from './archive.ts'

/** Lets a sub-agent that waits for a person go on while the rest of its turn is running. */
export interface ParkedRuns {
  /** Calls `work` once, when one of these has happened. Returns a function that forgets it. */
  onSettled(waits: readonly WaitsFor[], work: () => void): () => void
  /** Reads again what the ledger holds. A run that was parked is in it. */
  readArchive(): Promise<Archive>
}
