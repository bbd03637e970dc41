import { randomUUID } from 'node:crypto'
import type { RunId, ThreadId } from '@capstan/protocol'

// Sorted by time of creation, so that a listing needs no second key. 80 random bits behind it: ids stand in every
// record of the ledger, so they are short, and none of them is a secret.
const unique = (): string =>
  `${Date.now().toString(36).padStart(9, '0')}${randomUUID().replaceAll('-', '').slice(12)}`

export const newThreadId = (): ThreadId => `thread_${unique()}` as ThreadId
export const newRunId = (): RunId => `run_${unique()}` as RunId
export const newToken = (): string => `resume_${randomUUID()}`
export const newQueueId = (): string => `queued_${randomUUID()}`
/** Unlike any other of its thread, also of one that is not in memory now. */
export const newMediaRef = (): string => `media_${unique()}`
