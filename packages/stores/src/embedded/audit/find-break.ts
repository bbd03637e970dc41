import type { AuditLine } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import { readHead } from './chain.ts'
import type { ChainNote } from './chain-note.ts'
import { holdsNoted, toChainNote } from './chain-note.ts'

/** What is known when the store opens. */
export interface StartFacts {
  /** Absent: no chain was ever started here. */
  readonly note: ChainNote | undefined
  /** There was no usable key, so a new one was made. */
  readonly isKeyNew: boolean
  /** The file was gone or damaged: a backup or an empty file took its place. */
  readonly isReplaced: boolean
}

/**
 * The line to add when the chain cannot go on where it was left. Call it before `openChain`, which starts a lost chain
 * again. A new folder, and one of a version without a chain, have lost nothing.
 */
export function findBreak(connection: Connection, facts: StartFacts, at: number): AuditLine | undefined {
  const why = whyBroken(connection, facts)
  if (why === undefined) return undefined
  const found = toChainNote(connection).page
  const noted = facts.note?.page ?? readHead(connection)?.page ?? 0
  return { at, userId: '', action: 'chain-break', facts: { why, noted, found } }
}

function whyBroken(connection: Connection, { note, isKeyNew, isReplaced }: StartFacts): string | undefined {
  if (isReplaced) return 'file-replaced'
  const head = readHead(connection)
  const wasStarted = note !== undefined || head !== undefined || holdsSeals(connection)
  if (!wasStarted) return undefined
  if (isKeyNew) return 'key-lost'
  if (!head) return 'start-lost'
  return note && !holdsNoted(connection, note) ? 'end-lost' : undefined
}

const holdsSeals = (connection: Connection): boolean =>
  connection.prepare('SELECT 1 FROM journal WHERE mac IS NOT NULL LIMIT 1').get() !== undefined
