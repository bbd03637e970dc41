import type { FactStatus, MemoryFact } from '@capstan/protocol'

/** A fact as a row. */
export interface FactColumns {
  readonly id: string
  readonly status: string
  /** Text where a driver gives large numbers as text. */
  readonly created_at: number | string
  readonly changed_at: number | string
  readonly body: string
}

export const toFactBody = ({ text, origin }: Pick<MemoryFact, 'text' | 'origin'>): string =>
  JSON.stringify({ text, origin })

export function toFact({ id, status, created_at, changed_at, body }: FactColumns): MemoryFact {
  const { text, origin } = JSON.parse(body) as Pick<MemoryFact, 'text' | 'origin'>
  return {
    id,
    text,
    status: status as FactStatus,
    origin,
    createdAt: Number(created_at),
    changedAt: Number(changed_at),
  }
}
