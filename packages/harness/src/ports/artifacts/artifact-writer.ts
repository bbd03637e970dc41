import type { ArtifactWriter } from '../artifact-store.ts'
import { createBlockEncoder } from './artifact-bytes.ts'

/** Where the blocks of one artifact go, one after the other. */
export interface BlockTarget {
  append(block: Buffer): Promise<void>
  /** After the last block: the artifact exists from here on. */
  finish(): Promise<void>
  /** Removes what was written. */
  remove(): Promise<void>
}

const SMALL_CHARS = 64 * 1024

/** Writes a text in blocks of `BLOCK_BYTES`; only the last one may be smaller. */
export function createArtifactWriter(id: string, target: BlockTarget): ArtifactWriter {
  const encoder = createBlockEncoder()
  let bytes = 0
  let isOpen = true
  // One write at a time, also for a caller that does not wait.
  let written: Promise<void> = Promise.resolve()
  let waiting = 0

  const append = (blocks: Iterable<Buffer>): Promise<void> => {
    waiting++
    written = written.then(async () => {
      for (const block of blocks) {
        await target.append(block)
        bytes += block.length
      }
      waiting--
    })
    // A failed write rejects the returned promise, and `close`.
    written.catch(() => {})
    return written
  }
  const refuseIfEnded = (): void => {
    if (!isOpen) throw new Error('this artifact is closed')
  }
  return {
    write(text) {
      refuseIfEnded()
      if (waiting > 0 || text.length > SMALL_CHARS) return append(encoder.add(text))
      // Most pieces only add to the block that is being filled, and cost no promise.
      const full = [...encoder.add(text)]
      return full.length === 0 ? undefined : append(full)
    },
    async close() {
      refuseIfEnded()
      isOpen = false
      try {
        await append(encoder.end())
        await target.finish()
      } catch (error) {
        await target.remove()
        throw error
      }
      return { id, bytes }
    },
    async discard() {
      if (!isOpen) return
      isOpen = false
      await written.catch(() => {})
      await target.remove()
    },
  }
}
