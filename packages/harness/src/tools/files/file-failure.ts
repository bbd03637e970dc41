import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'

const WORDS: Record<string, string | undefined> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'leads through something that is not a folder',
  EISDIR: 'is a folder',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be changed by this user',
  EROFS: 'lies on a file system that cannot be written',
  ENOSPC: 'does not fit: the disk is full',
  ELOOP: 'is a link that leads in a circle, or was replaced by a link meanwhile',
  ENAMETOOLONG: 'has a name that is too long',
  EMFILE: 'could not be opened: too many files are open',
}

/** An error of the file system as a failure with its code. */
export function toFileFailure(path: string, error: unknown): ToolOutcome {
  const code = (error as NodeJS.ErrnoException).code
  if (typeof code !== 'string') throw error
  return fail(`"${path}" ${WORDS[code] ?? `could not be used (${code})`}.`, { errorCode: code })
}

/** The refusal of a path outside the roots. */
export const outsideFailure = (path: string, roots: readonly string[]): ToolOutcome =>
  fail(
    `"${path}" is outside of the folders that may be used: ${roots.join(', ')}. Nothing was done. Tell the user ` +
      'instead of trying another way.',
    { deniedBy: 'policy' },
  )

/** The failure for an invalid path. */
export const invalidPath = (problem: string): ToolOutcome => fail(problem, { errorCode: 'invalid_arguments' })

/** The failure for a kind of file that is not supported. */
export const unsupportedFile = (path: string, what: string): ToolOutcome =>
  fail(`"${path}" ${what}.`, { errorCode: 'unsupported' })

/** The failure for content that is too large. */
export const tooLarge = (path: string, what: string): ToolOutcome =>
  fail(`"${path}" ${what}.`, { errorCode: 'too_large' })
