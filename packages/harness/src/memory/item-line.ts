import type { MemoryItem } from '../ports/user-memory.ts'

/** An item as the object that an export has on one line, and `capstan memory import` reads. */
export function toItemLine({ at, seenAt, link, ...item }: MemoryItem): object {
  return {
    ...item,
    at: new Date(at).toISOString(),
    ...(link !== undefined && { url: link }),
    seenAt: new Date(seenAt).toISOString(),
  }
}
