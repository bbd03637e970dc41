import { randomBytes } from 'node:crypto'
import type { RunId, ThreadId } from '@capstan/protocol'

// Sorted by time of creation, so that a listing needs no second key.
const unique = (): string => Date.now().toString(36).padStart(9, '0') + randomBytes(9).toString('base64url')

export const newThreadId = (): ThreadId => `thread_${unique()}` as ThreadId
export const newRunId = (): RunId => `run_${unique()}` as RunId
export const newToken = (): string => `resume_${randomBytes(18).toString('base64url')}`
