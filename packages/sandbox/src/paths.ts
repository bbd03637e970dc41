import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Whether a path is this folder or lies in it. Both are true paths. Pure. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The true path, or undefined when there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** The true path, as far as it exists. The rest stays as it is written, without `..`. */
export function realOrSame(path: string): string {
  const whole = resolve(path)
  return realPath(whole) ?? join(realOrSame(dirname(whole)), basename(whole))
}
