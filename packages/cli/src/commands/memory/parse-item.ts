import type { MemoryItem } from '@capstan/harness/stores'
import { LineError, textField } from '../jsonl/answer-lines.ts'

type Line = Readonly<Record<string, unknown>>

const MAX_ID_CHARS = 500

/** An item from a line of JSON. Throws `LineError` with the field that is missing or wrong. */
export function parseItem(line: Line, now: number): MemoryItem {
  const id = nameField(line, 'id')
  const account = optionalText(line, 'account')
  const version = optionalText(line, 'version')
  const link = optionalText(line, 'url')
  return {
    id,
    app: nameField(line, 'app'),
    ...(account && { account }),
    externalId: optionalText(line, 'externalId') ?? id,
    ...(version !== undefined && { version }),
    at: line['at'] === undefined ? now : parseTime(textField(line, 'at')),
    title: textField(line, 'title'),
    text: textField(line, 'text'),
    ...(link !== undefined && { link }),
    people: parsePeople(line['people'] ?? []),
    seenAt: line['seenAt'] === undefined ? now : parseTime(textField(line, 'seenAt')),
  }
}

function nameField(line: Line, name: string): string {
  const value = textField(line, name)
  if (value.trim() === '' || value.length > MAX_ID_CHARS || /\p{Cc}/u.test(value) || !value.isWellFormed())
    throw new LineError(`"${name}" must be one line of 1 to ${MAX_ID_CHARS} characters`)
  return value
}

function optionalText(line: Line, name: string): string | undefined {
  return line[name] === undefined || line[name] === null ? undefined : textField(line, name)
}

function parseTime(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new LineError(`"${text.slice(0, 40)}" is not a time such as 2026-05-26T08:00:00Z`)
  return time
}

function parsePeople(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  throw new LineError('"people" must be a list of strings')
}
