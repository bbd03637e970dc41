import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * A number beside the file: the last page that is known to be on the disk. When the file has fewer pages at the next start,
 * its log was deleted, cut or overwritten, or an older copy took its place.
 */
export interface Reach {
  /** As it was noted before this process; 0 when nothing is known. */
  readonly noted: number
  /** Call after the page was synced. Never fails: without the note only the next check is weaker. */
  note(page: number): void
  /** Forgets what was noted: the loss was told. */
  reset(page: number): void
  close(): void
}

const DIGITS = 16

export function openReach(path: string): Reach {
  const name = `${path}-reach`
  const noted = readNoted(name)
  let last = noted
  let file: number | undefined
  const write = (page: number): void => {
    last = page
    try {
      file ??= openSync(name, constants.O_WRONLY | constants.O_CREAT, 0o600)
      writeSync(file, String(page).padStart(DIGITS, '0'), 0)
    } catch {
      // A full disk is told by what needs the disk.
    }
  }
  return {
    noted,
    note(page) {
      if (page > last) write(page)
    },
    reset: write,
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function readNoted(name: string): number {
  try {
    const page = Number(readFileSync(name, 'utf8'))
    return Number.isSafeInteger(page) && page > 0 ? page : 0
  } catch {
    return 0
  }
}
