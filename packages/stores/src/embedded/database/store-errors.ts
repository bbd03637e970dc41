import { StoreError } from '@capstan/harness'
import type { StoreProblem } from '@capstan/harness/stores'

/** Turns an error of SQLite, the file system or JSON into the one error a store may throw. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { kind, message } = describe(error)
  return new StoreError(kind, message, { cause: error })
}

/** True when the file itself is the problem, and neither its disk nor the request. */
export const isDamage = (error: unknown): boolean => toStoreError(error).kind === 'damaged'

/**
 * The same for an error from opening a file that exists and may be written: then SQLite's errors `unsupported` and
 * `read-only` come from a damaged header.
 */
export function isDamageAtOpening(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown }
  return isDamage(error) || errcode === UNSUPPORTED || errcode === READ_ONLY
}

interface Problem {
  readonly kind: StoreProblem
  readonly message: string
}

function describe(error: unknown): Problem {
  const { errcode, code } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly errcode?: unknown
    readonly code?: unknown
  }
  if (typeof errcode === 'number') return ofSqlite(errcode, error as Error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return FULL
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return { kind: 'io', message: `The store's folder cannot be used: ${(error as Error).message}.` }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return { kind: 'invalid', message: `The store cannot keep this: ${reason}` }
}

const FULL: Problem = {
  kind: 'full',
  message: 'The disk is full: nothing was stored. Free some space; it works again by itself.',
}

// The low byte of an extended code is the kind of error.
const UNSUPPORTED = 1
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const DISK_FULL = 13
const CONSTRAINT = 19
const NOT_A_DATABASE = 26
// The shared memory beside the file could not grow: on the disks we know, there was no space for it.
const SHARED_MEMORY_SIZE = 4874

function ofSqlite(errcode: number, { message }: Error): Problem {
  if (errcode === SHARED_MEMORY_SIZE) return FULL
  switch (errcode & 0xff) {
    case DISK_FULL:
      return FULL
    case CORRUPT:
    case NOT_A_DATABASE:
      return {
        kind: 'damaged',
        message: 'The store is damaged. Start Capstan again: it moves the damaged file aside and goes on.',
      }
    case BUSY:
    case LOCKED:
      return { kind: 'locked', message: 'Another process is using the store. Try again in a moment.' }
    case READ_ONLY:
      return { kind: 'io', message: 'The store cannot be written: its file or folder is read-only.' }
    case CONSTRAINT:
      return { kind: 'invalid', message: `The store refused this: ${message}.` }
    case IO_ERROR:
      return { kind: 'io', message: `The disk failed: ${message}. Nothing was stored.` }
    default:
      return { kind: 'io', message: `The store failed: ${message}.` }
  }
}
