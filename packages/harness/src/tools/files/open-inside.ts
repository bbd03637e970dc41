import { constants, existsSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { outsideFailure, toFileFailure, unsupportedFile } from './file-failure.ts'
import type { Place } from './locate.ts'
import type { Roots } from './roots.ts'

const HAS_FD_PATHS = existsSync('/proc/self/fd')
// Windows has neither.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const NO_WAIT = constants.O_NONBLOCK ?? 0

/** An open regular file. The caller closes it. */
export interface OpenedFile {
  readonly file: FileHandle
  readonly bytes: number
  readonly mode: number
}

/**
 * Opens a regular file for reading and makes sure that what was opened is what was located: no link put there
 * meanwhile, no pipe that would wait, no device. The caller closes it.
 */
export async function openForReading(
  { path, shown }: Place,
  roots: Roots,
): Promise<OpenedFile | { readonly refusal: ToolOutcome }> {
  let file: FileHandle | undefined
  try {
    // Looked at first, because merely opening some devices does something.
    const before = await lstat(path)
    if (!before.isFile()) return { refusal: unsupportedFile(shown, notAFile(before)) }
    file = await open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
    const opened = await file.stat()
    if (!opened.isFile()) {
      await file.close()
      return { refusal: unsupportedFile(shown, notAFile(opened)) }
    }
    if (!(await isStillInside(file, path, roots))) {
      await file.close()
      return { refusal: outsideFailure(shown, roots.paths) }
    }
    return { file, bytes: opened.size, mode: opened.mode }
  } catch (error) {
    await file?.close().catch(() => {})
    return { refusal: toFileFailure(shown, error) }
  }
}

/** Reads a part of a file, to its end or to `maxBytes`, however much it grows meanwhile. */
export async function readPart(file: FileHandle, position: number, maxBytes: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(maxBytes)
  let held = 0
  while (held < maxBytes) {
    const { bytesRead } = await file.read(part, held, maxBytes - held, position + held)
    if (bytesRead === 0) break
    held += bytesRead
  }
  return part.subarray(0, held)
}

/** A folder held open, so that what is done in it is done there even if its path is changed meanwhile. */
export interface OpenedFolder {
  /** The path of a name in it. */
  readonly at: (name: string) => string
  readonly close: () => Promise<void>
}

/** Where open files have no path of their own, the folder is only checked, not held. */
export async function openFolder(
  path: string,
  shown: string,
  roots: Roots,
): Promise<OpenedFolder | { readonly refusal: ToolOutcome }> {
  let folder: FileHandle | undefined
  try {
    if (HAS_FD_PATHS) folder = await open(path, constants.O_RDONLY | NO_FOLLOW | constants.O_DIRECTORY)
    const isInside = folder
      ? await isStillInside(folder, path, roots)
      : roots.around(await realpath(path)) !== undefined
    if (!isInside) {
      await folder?.close()
      return { refusal: outsideFailure(shown, roots.paths) }
    }
    const base = folder ? `/proc/self/fd/${folder.fd}` : path
    return { at: (name) => join(base, name), close: async () => folder?.close() }
  } catch (error) {
    await folder?.close().catch(() => {})
    return { refusal: toFileFailure(shown, error) }
  }
}

// Where the open file lies now, if the system can tell; else the path must still lead to the very same file.
async function isStillInside(file: FileHandle, path: string, roots: Roots): Promise<boolean> {
  if (HAS_FD_PATHS) {
    return roots.around(await realpath(`/proc/self/fd/${file.fd}`)) !== undefined
  }
  const [opened, named, real] = await Promise.all([file.stat(), lstat(path), realpath(path)])
  return opened.ino === named.ino && opened.dev === named.dev && roots.around(real) !== undefined
}

interface Kind {
  isDirectory(): boolean
  isSymbolicLink(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}

function notAFile(kind: Kind): string {
  if (kind.isDirectory()) return 'is a folder, not a file'
  if (kind.isSymbolicLink()) return 'was replaced by a link meanwhile'
  if (kind.isFIFO()) return 'is a pipe, not a file'
  return kind.isSocket() ? 'is a socket, not a file' : 'is a device, not a file'
}
