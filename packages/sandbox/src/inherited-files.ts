import { readdirSync, readFileSync } from 'node:fs'

const CLOSES_ON_EXEC = 0o2000000
const STANDARD_FILES = 3

let found: readonly number[] | undefined

/**
 * The files that this process got open from its parent and would pass on. Node closes those with low numbers, and stops
 * at the first number that is not in use. They never change, so they are listed once.
 */
export const inheritedFiles = (): readonly number[] => (found ??= listOpen().filter(isPassedOn))

const listOpen = (): readonly number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((file) => file >= STANDARD_FILES)

function isPassedOn(file: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8'))
    return flags !== null && (Number.parseInt(flags[1]!, 8) & CLOSES_ON_EXEC) === 0
  } catch {
    return false // the listing itself was open, and is closed now
  }
}

/** A Node that closes the files and becomes the program. Nothing when there are none, as Node takes a moment to start. */
export function closeArguments(files: readonly number[]): readonly string[] {
  if (files.length === 0) return []
  const code = `for (const file of ${JSON.stringify(files)}) try { require('fs').closeSync(file) } catch {}
process.execve(process.argv[1], process.argv.slice(1))`
  return [process.execPath, '--no-warnings', '-e', code, '--']
}
