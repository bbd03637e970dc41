import { randomUUID } from 'node:crypto'
import type { MemoryFact } from '@capstan/protocol'

/** A fact that a person wrote themselves: it needs no further yes. */
export function createOwnFact(text: string, now: number): MemoryFact {
  const id = `fact_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  return { id, text, status: 'accepted', origin: {}, createdAt: now, changedAt: now }
}
