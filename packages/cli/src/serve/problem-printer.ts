import { scrubSecrets, toErrorText } from '@capstan/harness/stages'
import { toPrintableLine } from '../terminal/printable.ts'

const AGAIN_MS = 60_000
const MAX_KNOWN = 100

/** Prints problems of a running server, the same one once a minute: without a database, everything fails again and again. */
export function createProblemPrinter(
  print: (line: string) => void,
  now: () => number = Date.now,
): (problem: unknown) => void {
  const printedAt = new Map<string, number>()
  return (problem) => {
    const line = `capstan: ${toPrintableLine(scrubSecrets(toErrorText(problem)))}`
    const last = printedAt.get(line)
    if (last !== undefined && now() - last < AGAIN_MS) return
    if (printedAt.size >= MAX_KNOWN) printedAt.clear()
    printedAt.set(line, now())
    print(line)
  }
}
