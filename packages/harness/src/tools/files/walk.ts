import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_DEPTH = 40
const MAX_ENTRIES = 100_000
// Named outright they can be looked into; a search of everything does not want them.
const SKIPPED = new Set(['.git', 'node_modules'])

/** A file or folder that was found. */
export interface Found {
  readonly path: string
  /** Relative to where the walk began, with slashes. */
  readonly shown: string
  readonly entry: Dirent
}

/** Everything below a folder, sorted, folders before what is in them. Follows no links; stops at a limit. */
export async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<Found, { isCut: boolean }> {
  let seen = 0
  const waiting = [{ path: folder, shown: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    signal.throwIfAborted()
    const inside: typeof waiting = []
    for (const entry of await entriesOf(next.path)) {
      if (++seen > MAX_ENTRIES) return { isCut: true }
      const path = join(next.path, entry.name)
      const shown = next.shown === '' ? entry.name : `${next.shown}/${entry.name}`
      yield { path, shown, entry }
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && next.depth < MAX_DEPTH) {
        inside.push({ path, shown, depth: next.depth + 1 })
      }
    }
    waiting.push(...inside.toReversed())
  }
  return { isCut: false }
}

/** What is in one folder, sorted by name. A folder that cannot be read, or is gone, is empty. */
export async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
