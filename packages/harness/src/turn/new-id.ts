import { randomUUID } from 'node:crypto'
import type { RunId, ThreadId } from '@capstan/protocol'

// Ids sort by time of creation, followed by 80 random bits. They are in every ledger record, so they are short. None of
// them is a secret.
const unique = (): string =>
  `${Date.now().toString(36).padStart(9, '0')}${randomUUID().replaceAll('-', '').slice(12)}`

/** When an id was made, in milliseconds since 1970. Undefined for an id of another form. */
export function createdAt(id: string): number | undefined {
  const [, time] = /^[a-z]+_([0-9a-z]{9})[0-9a-f]{20}$/.exec(id) ?? []
  return time === undefined ? undefined : Number.parseInt(time, 36)
}

/** A new thread id. */
export const newThreadId = (): ThreadId => `thread_${unique()}` as ThreadId
/** A new run id. */
export const newRunId = (): RunId => `run_${unique()}` as RunId
/** A new token to continue a capped turn. */
export const newToken = (): string => `resume_${randomUUID()}`
/** A new id for a queued message. */
export const newQueueId = (): string => `queued_${randomUUID()}`
/** Unique within its thread, also among media that are not in memory. */
export const newMediaRef = (): string => `media_${unique()}`
