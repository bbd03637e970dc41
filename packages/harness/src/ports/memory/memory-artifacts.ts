import { randomBytes } from 'node:crypto'
import type { ArtifactStore } from '../artifact-store.ts'
import { createBlockEncoder, cutSlice, toFetchRange } from '../artifacts/artifact-bytes.ts'

interface Kept {
  readonly threadId: string
  readonly blocks: readonly Buffer[]
  readonly bytes: number
}

/** An artifact store in memory. */
export interface MemoryArtifacts extends ArtifactStore {
  /** Drops every finished artifact of this thread. */
  forget(threadId: string): void
}

/**
 * Keeps artifacts as long as the process lives and they fit: the oldest are dropped when space is needed, and a text
 * larger than the limit is refused while it is written. Never holds more than `maxBytes` of finished and unfinished text.
 */
export function createMemoryArtifacts({ maxBytes = 32 * 1024 * 1024 } = {}): MemoryArtifacts {
  const kept = new Map<string, Kept>()
  let heldBytes = 0

  function freeSpace(): void {
    for (const [id, { bytes }] of kept) {
      if (heldBytes <= maxBytes) return
      kept.delete(id)
      heldBytes -= bytes
    }
  }

  return {
    create({ threadId }) {
      const encoder = createBlockEncoder()
      let blocks: Buffer[] = []
      let bytes = 0
      let isOpen = true

      const end = (): void => {
        isOpen = false
        blocks = []
        heldBytes -= bytes
        bytes = 0
      }
      const hold = (more: Iterable<Buffer>): void => {
        for (const block of more) {
          blocks.push(block)
          bytes += block.length
          heldBytes += block.length
          freeSpace()
          if (heldBytes <= maxBytes) continue
          end()
          throw Object.assign(new Error(`there is no space for a text of more than ${maxBytes} bytes`), {
            code: 'EFBIG',
          })
        }
      }
      const refuseIfEnded = (): void => {
        if (!isOpen) throw new Error('this artifact is closed')
      }
      return {
        write(text) {
          refuseIfEnded()
          hold(encoder.add(text))
        },
        async close() {
          refuseIfEnded()
          hold(encoder.end())
          isOpen = false
          const id = `artifact_${randomBytes(16).toString('base64url')}`
          kept.set(id, { threadId, blocks, bytes })
          return { id, bytes }
        },
        async discard() {
          if (isOpen) end()
        },
      }
    },
    forget(threadId) {
      for (const [id, artifact] of kept) {
        if (artifact.threadId !== threadId) continue
        kept.delete(id)
        heldBytes -= artifact.bytes
      }
    },
    async read(threadId, id, range) {
      const artifact = kept.get(id)
      if (artifact?.threadId !== threadId) return undefined
      const { from, to } = toFetchRange(range, artifact.bytes)
      return cutSlice(copyRange(artifact.blocks, from, to), from, range.maxBytes, artifact.bytes)
    },
  }
}

function copyRange(blocks: readonly Buffer[], from: number, to: number): Buffer {
  const parts: Buffer[] = []
  let blockStart = 0
  for (const block of blocks) {
    if (blockStart >= to) break
    parts.push(block.subarray(Math.max(0, from - blockStart), to - blockStart))
    blockStart += block.length
  }
  return Buffer.concat(parts)
}
