import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and the ones above it, for this user alone. Does nothing if it is there. Throws an error with the
 * `code` of the system when it cannot be made. One folder at a time: under `/proc`, Node's recursive `mkdir` never
 * returns.
 */
export function makeFolder(folder: string): void {
  try {
    makeStep(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`The folder ${folder} cannot be made: ${message}`, { cause: error }), {
      code,
    })
  }
}

function makeStep(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeStep(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || found.isDirectory()) return found !== undefined
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' })
}
