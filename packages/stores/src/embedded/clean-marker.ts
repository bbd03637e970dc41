import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Left beside the file when it was closed in good order, to tell whether anything has happened to it since. */
interface CleanMarker {
  readonly bytes: number
  readonly modifiedMs: number
  /** When the whole file was last looked through. */
  readonly checkedAt: number
}

const markerOf = (path: string): string => `${path}-clean`

/** When the file was last looked through; undefined when it has to be looked through now. */
export function readCleanMarker(path: string): number | undefined {
  try {
    const marker = JSON.parse(readFileSync(markerOf(path), 'utf8')) as CleanMarker
    const { size, mtimeMs } = statSync(path)
    return marker.bytes === size && marker.modifiedMs === mtimeMs ? marker.checkedAt : undefined
  } catch {
    return undefined
  }
}

export function writeCleanMarker(path: string, checkedAt: number): void {
  const { size, mtimeMs } = statSync(path)
  const marker: CleanMarker = { bytes: size, modifiedMs: mtimeMs, checkedAt }
  try {
    writeFileSync(markerOf(path), JSON.stringify(marker), { mode: 0o600 })
  } catch {
    // On a full disk the next start takes a little longer.
  }
}

export const removeCleanMarker = (path: string): void => rmSync(markerOf(path), { force: true })
