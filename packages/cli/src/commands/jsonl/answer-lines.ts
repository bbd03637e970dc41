import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { isRecord, toErrorText } from '@capstan/harness/stages'
import { toJsonLine } from '../../terminal/printable.ts'
import { EXIT } from '../../shell/exit-code.ts'
import type { Shell } from '../../shell/shell.ts'

/** A line of input with a missing or wrong field. The message names the field. */
export class LineError extends Error {
  override readonly name = 'LineError'
}

/**
 * Reads JSON lines from standard input and writes one line for each, in order, with one line in memory at a time. A
 * line that cannot be read is answered by its number and the problem; the others are still handled, and the exit code
 * is `EXIT.failed`.
 */
export async function answerLines(
  shell: Shell,
  answer: (line: Readonly<Record<string, unknown>>) => object | Promise<object>,
): Promise<number> {
  let number = 0
  let code: number = EXIT.done
  for await (const text of createInterface({ input: shell.stdin, crlfDelay: Infinity })) {
    number++
    if (text.trim() === '') continue
    let written: object
    try {
      written = await answer(parseLine(text))
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      written = { line: number, error: error.message }
      code = EXIT.failed
    }
    const isFull = shell.stdout.write(`${toJsonLine(written)}\n`) === false
    if (isFull && shell.stdout instanceof EventEmitter) await once(shell.stdout, 'drain')
  }
  return code
}

/** The object on a line. Throws `LineError`. */
export function parseLine(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new LineError(`not JSON (${toErrorText(error)})`)
  }
  if (!isRecord(value)) throw new LineError('not a JSON object')
  return value
}

/** The value as an object. `where` names it in the error. */
export function toRecord(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value
  throw new LineError(`"${where}" must be an object`)
}

/** A string field of a line. Throws `LineError`. */
export function textField(line: Readonly<Record<string, unknown>>, name: string): string {
  const value = line[name]
  if (typeof value !== 'string') throw new LineError(`"${name}" must be a string`)
  return value
}

/** A list field of a line. Throws `LineError`. */
export function listField(line: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = line[name]
  if (!Array.isArray(value)) throw new LineError(`"${name}" must be a list`)
  return value
}
