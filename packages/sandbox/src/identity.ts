import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'

// Node does not name it: open without any right to read.
const O_PATH = 0o10_000_000

/**
 * Device and inode of what lies at a true path, as `stat -c %d:%i` prints them. Undefined when nothing is there, or when
 * a link leads there. It asks what it has opened for its path, so nobody can put another thing between two looks.
 */
export function identityOf(path: string): string | undefined {
  let opened: number | undefined
  try {
    opened = openSync(path, O_PATH | constants.O_NOFOLLOW)
    if (readlinkSync(`/proc/self/fd/${opened}`) !== path) return undefined
    const { dev, ino } = fstatSync(opened, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
