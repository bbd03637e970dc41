import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { ConfineRequest, SandboxFolder } from '@capstan/harness/sandbox'
import { SandboxError } from '@capstan/harness/sandbox'
import { identityOf } from './identity.ts'
import { isInside, realPath } from './paths.ts'

// They are bubblewrap's own, or hold devices and the state of the machine.
const NEVER = ['/proc', '/dev', '/sys', '/run']

/**
 * The folders of a request, ready to be bound. A folder that is not its own true path is refused: a link that was put
 * in its place after somebody allowed it must not lead elsewhere. Throws a `SandboxError`.
 */
export function checkFolders(
  { profile, changedIn }: Pick<ConfineRequest, 'profile' | 'changedIn'>,
  hidden: readonly string[],
): readonly SandboxFolder[] {
  return profile.folders.map(({ path, access }) => {
    const refuse = (why: string): never => {
      throw new SandboxError('profile', `The folder ${path} ${why} Change it in ${changedIn}.`)
    }
    if (!isAbsolute(path) || resolve(path) !== path) refuse('is not written as a plain absolute path.')
    const real = realPath(path)
    if (real === undefined) return refuse('does not exist.')
    if (real !== path) refuse('is a link now, or lies behind one, and leads elsewhere.')
    if (!statSync(real).isDirectory() && access === 'write') refuse('is not a folder.')
    if (path === '/' || NEVER.some((own) => isInside(own, path))) refuse('can never be given to a program.')
    if (hidden.some((secret) => isInside(secret, path))) refuse("is part of the assistant's own data.")
    return { path, access }
  })
}

/** Refuses every start after one of these paths does not lead to what was there before. They are true paths. */
export function createHiddenCheck(hidden: readonly string[]): () => void {
  const known = new Map<string, string>()
  const check = (): void => {
    for (const path of hidden) {
      const identity = identityOf(path)
      const before = known.get(path) ?? identity
      // Where it is now, a program might see it.
      if (identity !== before)
        throw new SandboxError(
          'unavailable',
          `${path} was moved or replaced. Put it back, or restart Capstan.`,
        )
      if (identity !== undefined) known.set(path, identity)
    }
  }
  check()
  return check
}

/** Throws a `SandboxError` when the folder to start in would not be visible. */
export function checkWorkingFolder(
  cwd: string,
  folders: readonly SandboxFolder[],
  changedIn: string,
): string {
  const real = realPath(cwd)
  if (real !== undefined && folders.some(({ path }) => isInside(path, real))) return real
  throw new SandboxError(
    'profile',
    `The program starts in ${cwd}, which it cannot see. Add it in ${changedIn}.`,
  )
}
