/** The bytes of a thread's images and files, by the references in its messages. */
export interface MediaStore {
  /** Undefined when the bytes are not in the store. */
  get(ref: string): Uint8Array | undefined
  put(bytes: Uint8Array): string
  /** Loads media of other conversations of the thread. Absent without a durable store. */
  load?(refs: readonly string[]): Promise<void>
}
