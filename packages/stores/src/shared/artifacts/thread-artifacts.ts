import type { ArtifactStore, ArtifactWriter } from '@capstan/harness/stores'

/** Artifacts that go with their thread. */
export interface ThreadArtifacts extends ArtifactStore {
  /** The ids of the artifacts of a thread. */
  list(threadId: string): Promise<readonly string[]>
  bytesOf(threadId: string): Promise<number>
  delete(threadId: string): Promise<void>
}

/** Takes artifacts from another store: they keep their ids, because conversations name them. */
export interface RestorableArtifacts {
  /** Replaces an artifact with the same id. */
  restore(threadId: string, id: string): ArtifactWriter
}
