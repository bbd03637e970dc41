import { readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

// The kernel follows no more.
const MAX_LINKS = 40

/**
 * Where a path leads as the kernel walks it: part by part, so that dots behind a link lead up from its end. A part that
 * is not there stays as it is written, also at the end of a link. `from` is a true path. Never throws.
 */
export function followPath(from: string, written: string): string {
  const parts = written.split('/')
  let at = written.startsWith('/') ? '/' : from
  for (let links = 0, part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (part === '' || part === '.') continue
    const next = part === '..' ? dirname(at) : join(at, part)
    const target = part === '..' || links >= MAX_LINKS ? undefined : readLink(next)
    if (target === undefined) at = next
    else {
      links++
      if (target.startsWith('/')) at = '/'
      parts.unshift(...target.split('/'))
    }
  }
  return at
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
