import { closeSync, constants, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'

/** The id that a client gave to a message. */
export interface SentId {
  readonly threadId: ThreadId
  readonly messageId: string
}

/**
 * The ids of messages since the file was last closed in good order, in a file of their own. When saved pages are missing,
 * it tells which messages had been taken: a client that sends one again must not have it done twice.
 */
export interface SentIds {
  /** From before this process. */
  readonly before: readonly SentId[]
  /** Never fails: the ids are only needed when the log is lost as well. */
  note(threadId: ThreadId, records: readonly LedgerRecord[]): void
  /** Call at an end in good order: everything is in the file of the store. */
  close(): void
}

export function openSentIds(path: string): SentIds {
  const name = `${path}-sent`
  let file: number | undefined
  return {
    before: readIds(name),
    note(threadId, records) {
      const lines = records.flatMap(idOf).map((messageId) => `${JSON.stringify([threadId, messageId])}\n`)
      if (lines.length === 0) return
      try {
        file ??= openSync(name, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600)
        writeSync(file, lines.join(''))
      } catch {
        // A full disk is told by what needs the disk.
      }
    },
    close() {
      try {
        if (file !== undefined) closeSync(file)
        truncateSync(name)
      } catch {
        // There is no such file, or it stays: its ids are known to the store.
      }
    },
  }
}

function idOf(record: LedgerRecord): readonly string[] {
  if (record.type === 'message-queue') return [record.id]
  return record.type === 'run-start' && record.run.messageId !== undefined ? [record.run.messageId] : []
}

function readIds(name: string): readonly SentId[] {
  try {
    return readFileSync(name, 'utf8').split('\n').flatMap(toSentId)
  } catch {
    return []
  }
}

/** A line that was cut is left out. */
function toSentId(line: string): readonly SentId[] {
  try {
    const [threadId, messageId] = JSON.parse(line) as [ThreadId, string]
    return [{ threadId, messageId }]
  } catch {
    return []
  }
}
