import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { syncFolder } from '../../shared/vault/sync-folder.ts'

/** Says that the contents of a folder were moved. It survives as long as nobody decides to go on with the folder. */
export interface MovedNote {
  /** The address of the database, without a user and a password. */
  readonly to: string
  readonly at: number
}

const FILE = 'moved.json'

/** Undefined when the folder was not moved. */
function readMovedNote(folder: string): MovedNote | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { to, at } = JSON.parse(text) as Partial<MovedNote>
    return { to: String(to), at: Number(at) || 0 }
  } catch {
    return { to: 'another place', at: 0 }
  }
}

export function writeMovedNote(folder: string, note: MovedNote): void {
  const file = openSync(join(folder, FILE), 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(note)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  syncFolder(folder)
}

/** For somebody who wants to go on with the folder anyway. */
export const removeMovedNote = (folder: string): void => rmSync(join(folder, FILE), { force: true })

/** Throws a `StoreError` of kind `invalid` for a folder that was moved: what is written to it would be missing there. */
export function refuseMoved(folder: string): void {
  const note = readMovedNote(folder)
  if (!note) return
  const when = note.at === 0 ? '' : ` on ${new Date(note.at).toISOString().slice(0, 10)}`
  throw new StoreError(
    'invalid',
    `The contents of ${folder} were moved to ${note.to}${when}. Set DATABASE_URL to use them there, or go on with the ` +
      'folder as it was then: "capstan serve --moved-anyway".',
  )
}
