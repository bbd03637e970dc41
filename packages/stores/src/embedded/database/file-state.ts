import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/**
 * How much of the file has to be checked before it is used. `closed`: it was closed in good order, and has not changed
 * since. `open`: its owner was killed, which SQLite survives. `unknown`: anything may have happened to it.
 */
export type FileState = 'closed' | 'open' | 'unknown'

/** Kept beside the file. */
type StateNote =
  | { readonly state: 'closed'; readonly bytes: number; readonly modifiedMs: number }
  | { readonly state: 'open' | 'unknown' }

const noteOf = (path: string): string => `${path}-state`

export function readFileState(path: string): FileState {
  try {
    const note = JSON.parse(readFileSync(noteOf(path), 'utf8')) as StateNote
    if (note.state !== 'closed') return note.state === 'open' ? 'open' : 'unknown'
    const { size, mtimeMs } = statSync(path)
    return note.bytes === size && note.modifiedMs === mtimeMs ? 'closed' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Never fails: on a full disk the next start only takes longer. */
export function noteFileState(path: string, state: FileState): void {
  try {
    const { size, mtimeMs } = statSync(path)
    const note: StateNote = state === 'closed' ? { state, bytes: size, modifiedMs: mtimeMs } : { state }
    writeFileSync(noteOf(path), JSON.stringify(note), { mode: 0o600 })
  } catch {
    rmSync(noteOf(path), { force: true })
  }
}
