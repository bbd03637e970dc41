import { dirname } from 'node:path'
import type { SandboxFolder } from '@capstan/harness/sandbox'
import { isInside } from './paths.ts'

/** Something of this machine, by its true path, that a confined program finds at another or the same path. */
export interface Mount {
  readonly source: string
  readonly at: string
  readonly access: SandboxFolder['access']
}

export const bindArguments = ({ source, at, access }: Mount): readonly string[] => [
  access === 'write' ? '--bind' : '--ro-bind',
  source,
  at,
]

/**
 * The folders of a profile, outer ones first, so that an inner one with other rights is laid over it. Each folder around
 * something hidden is mounted by itself too: the kernel lets nobody inside move what is mounted, so a program cannot
 * carry the hidden folder to a place where the next program would see it. Pure.
 */
export function toFolderMounts(
  folders: readonly SandboxFolder[],
  hidden: readonly string[],
): readonly Mount[] {
  const access = new Map(folders.map((folder) => [folder.path, folder.access]))
  const byLength = (paths: Iterable<string>): readonly string[] =>
    [...paths].toSorted((one, other) => one.length - other.length)
  for (const outer of byLength(access.keys()))
    for (const path of byLength(hidden.flatMap((secret) => between(outer, secret))))
      if (!access.has(path)) access.set(path, access.get(dirname(path))!)
  return byLength(access.keys()).map((path) => ({ source: path, at: path, access: access.get(path)! }))
}

/** The folders below `outer` that lie around a path. */
function between(outer: string, path: string): readonly string[] {
  const found: string[] = []
  if (path === outer || !isInside(outer, path)) return found
  for (let at = dirname(path); at !== outer; at = dirname(at)) found.push(at)
  return found
}
