import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { invalidPath, outsideFailure, toFileFailure } from './file-failure.ts'
import type { Roots } from './roots.ts'
import { isRepositoryMetadata, isSecretFile } from './special-names.ts'

/** A place inside a root. `path` has no links in it, except where nothing exists yet. */
export interface Place {
  readonly path: string
  /** As the model knows it: relative to its root. */
  readonly shown: string
  readonly exists: boolean
}

/** Which files may be used. */
export interface FileRules {
  readonly roots: Roots
  readonly allowSecretFiles: boolean
}

/**
 * Finds where a path really leads, through links and dots, and refuses what lies outside of the roots, whether it
 * exists or not. What is found may be changed by others at once: openers check again what they have opened.
 */
export async function locate(
  asked: string,
  { roots, allowSecretFiles }: FileRules,
  { forWriting }: { readonly forWriting: boolean },
): Promise<Place | { readonly refusal: ToolOutcome }> {
  if (asked === '') return { refusal: invalidPath('The path is empty.') }
  if (asked.includes('\0')) return { refusal: invalidPath('The path has a NUL character in it.') }
  const found = await followLinks(resolve(roots.paths[0]!, asked))
  // First, so that the answer does not reveal what exists outside.
  const root = roots.around(found.path)
  if (root === undefined) return { refusal: outsideFailure(asked, roots.paths) }
  if ('error' in found) return { refusal: toFileFailure(asked, found.error) }
  // Its end may lie anywhere, and writing through it would make it.
  if ('isBrokenLink' in found) return { refusal: forbidden(asked, 'is a link that leads nowhere') }
  const shown = relative(root, found.path).split(sep).join('/') || '.'
  if (forWriting && isRepositoryMetadata(shown)) {
    return { refusal: forbidden(asked, 'is repository metadata (.git), which may be read but not written') }
  }
  if (!allowSecretFiles && isSecretFile(shown)) {
    return { refusal: forbidden(asked, 'is a file for secrets, which is left to the user') }
  }
  return { path: found.path, shown, exists: found.exists }
}

type Followed = { readonly path: string } & (
  | { readonly exists: boolean }
  | { readonly error: unknown }
  | { readonly isBrokenLink: true }
)

// The true path of the deepest part that exists, and the rest as it was written.
async function followLinks(path: string): Promise<Followed> {
  let rest = ''
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return { path: join(await realpath(existing), rest), exists: rest === '' }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return { path, error }
      const folder = dirname(existing)
      if (existing === folder) return { path, error }
      if (code === 'ENOENT' && (await isThere(existing))) {
        return { path: join(await realpath(folder), basename(existing)), isBrokenLink: true }
      }
      rest = join(basename(existing), rest)
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

const forbidden = (path: string, why: string): ToolOutcome =>
  fail(`"${path}" ${why}. Nothing was done.`, { deniedBy: 'policy' })
