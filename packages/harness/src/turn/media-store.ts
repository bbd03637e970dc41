/** Where the bytes of images and files lie while a conversation only carries references. */
export interface MediaStore {
  get(ref: string): Uint8Array | undefined
  put(bytes: Uint8Array): string
}
