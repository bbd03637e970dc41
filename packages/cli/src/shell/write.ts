import { toJsonLine } from '../terminal/printable.ts'
import type { Shell } from './shell.ts'

/** Writes lines to standard output. Writes nothing when there are none. */
export function writeLines({ stdout }: Shell, lines: readonly string[]): void {
  if (lines.length > 0) stdout.write(`${lines.join('\n')}\n`)
}

/** Writes one line of JSON per value to standard output. */
export function writeJson(shell: Shell, ...values: readonly unknown[]): void {
  writeLines(shell, values.map(toJsonLine))
}
