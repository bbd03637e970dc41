import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ConfigurationError } from '../../turn/errors.ts'

/** The folders that may be used, by their true paths. The first one is where relative paths begin. */
export interface Roots {
  readonly paths: readonly string[]
  /** The root that a true path lies in. */
  readonly around: (realPath: string) => string | undefined
}

/** Throws at once when a root is not a folder: a typing error must not open or close more than was meant. */
export function createRoots(folders: readonly string[]): Roots {
  if (folders.length === 0) throw new ConfigurationError('roots', 'name at least one folder')
  const paths = folders.map((folder) => {
    try {
      const path = realpathSync.native(resolve(folder))
      if (statSync(path).isDirectory()) return path
    } catch {}
    throw new ConfigurationError('roots', `"${folder}" is not a folder`)
  })
  return { paths, around: (realPath) => paths.find((root) => isInside(root, realPath)) }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
