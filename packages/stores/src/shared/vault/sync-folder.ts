import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Flushes a folder, so that new files in it survive a power cut. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } catch {
    // Not every system can do this.
  } finally {
    closeSync(handle)
  }
}
