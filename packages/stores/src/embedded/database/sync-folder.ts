import { closeSync, fsyncSync, openSync } from 'node:fs'

/** So that files which were just made are still there after a power cut. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } catch {
    // Not every system can.
  } finally {
    closeSync(handle)
  }
}
