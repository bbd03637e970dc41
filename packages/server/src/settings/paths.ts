import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** The true path of what exists, else the path itself without `..`. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Whether `inner` is `outer` or lies in it. Pure. */
export function isAround(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way))
}
