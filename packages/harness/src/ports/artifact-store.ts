/** A text too large for the conversation, kept whole and readable in parts. */
export interface Artifact {
  readonly id: string
  readonly bytes: number
}

/** Where large results go. What is written is already scrubbed. */
export interface ArtifactStore {
  /** Takes the text in pieces, so that it is never in memory as a whole. */
  create(name: { readonly threadId: string; readonly callId: string; readonly tool: string }): ArtifactWriter
  /** Undefined for an id that is unknown, or belongs to another thread. Offsets are bytes; cuts at characters. */
  read(
    threadId: string,
    id: string,
    range: { readonly offset: number; readonly maxBytes: number },
  ): Promise<ArtifactSlice | undefined>
}

/** Writes one artifact. */
export interface ArtifactWriter {
  write(text: string): void | Promise<void>
  /** The artifact exists from here on. */
  close(): Promise<Artifact>
  /** Nothing is kept. */
  discard(): Promise<void>
}

/** A part of an artifact. */
export interface ArtifactSlice {
  readonly text: string
  /** Where the next part begins; absent at the end. */
  readonly nextOffset?: number
  readonly bytes: number
}
