/** The bytes of a thread's images and files, by the references that stand in its messages. */
export interface MediaStore {
  /** Undefined when they are not here, or not any more. */
  get(ref: string): Uint8Array | undefined
  put(bytes: Uint8Array): string
  /** Reads what another conversation of the thread left in its store. Absent where nothing outlives the process. */
  load?(refs: readonly string[]): Promise<void>
}
