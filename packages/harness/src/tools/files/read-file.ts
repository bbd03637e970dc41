import type { FileHandle } from 'node:fs/promises'
import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { succeed } from '../../turn/tool/tool-outcome.ts'
import { labelled } from '../labelled.ts'
import { tooLarge, unsupportedFile } from './file-failure.ts'
import type { FileRules } from './locate.ts'
import { locate } from './locate.ts'
import type { OpenedFile } from './open-inside.ts'
import { openForReading, readPart } from './open-inside.ts'

const DEFAULT_LINES = 2_000
const MAX_TEXT_BYTES = 256 * 1024
const MAX_SCANNED_BYTES = 64 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const NEW_LINE = 0x0a

/** Reads a range of lines. A large file is never held whole. */
export function createReadFileTool(rules: FileRules): Tool {
  return defineTool({
    name: 'read_file',
    description: `Read a text file, or a range of its lines. At most ${MAX_TEXT_BYTES / 1024} KB at a time.`,
    effect: 'read',
    resultsFrom: 'file',
    returns: ['private', 'untrusted'],
    destinations: [],
    exact: true, // what is edited next must be what was read
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the working folder.' },
        offset: {
          type: 'integer',
          minimum: 1,
          description: 'The first line to read, counted from 1. Default 1.',
        },
        limit: { type: 'integer', minimum: 1, description: `How many lines. Default ${DEFAULT_LINES}.` },
      },
      required: ['path'],
      additionalProperties: false,
    },
    label: labelled('Read a file', 'path'),
    async run(args, { signal }) {
      const {
        path,
        offset = 1,
        limit = DEFAULT_LINES,
      } = args as { path: string; offset?: number; limit?: number }
      const place = await locate(path, rules, { forWriting: false })
      if ('refusal' in place) return place.refusal
      const opened = await openForReading(place, rules.roots)
      if ('refusal' in opened) return opened.refusal
      try {
        return await readLines(opened, { shown: place.shown, first: offset, limit, signal })
      } finally {
        await opened.file.close()
      }
    },
  })
}

interface Range {
  readonly shown: string
  readonly first: number
  readonly limit: number
  readonly signal: AbortSignal
}

async function readLines({ file, bytes }: OpenedFile, range: Range): Promise<ToolOutcome> {
  const { shown, first, limit } = range
  if (bytes === 0) return succeed('(the file is empty)')
  if (await isBinary(file)) return unsupportedFile(shown, `is not text: a binary file of ${bytes} bytes`)
  const found = await findLine(file, range)
  if ('isTooFar' in found) return tooLarge(shown, `is too long to reach line ${first} in it`)
  if (found.position >= bytes)
    return succeed(`[line ${first} is past the end: the file has ${found.lines} lines]`)
  const read = await readPart(file, found.position, MAX_TEXT_BYTES)
  const isCutShort = found.position + read.length < bytes
  const text = read.subarray(0, endOfLines(read, limit, isCutShort))
  const isWhole = found.position + text.length >= bytes
  if (isWhole) return succeed(decode(text))
  const next = first + countLines(text)
  if (next === first) return succeed(`${decode(text)}\n[line ${first} is longer than this and was cut here]`)
  return succeed(`${decode(text)}[lines ${first} to ${next - 1}; read on with offset ${next}]`)
}

type LineSearch = { readonly position: number; readonly lines: number } | { readonly isTooFar: true }

// Where a line begins; the end of the file, and how many lines it has, when there are not so many.
async function findLine(file: FileHandle, { first, signal }: Range): Promise<LineSearch> {
  let line = 1
  let position = 0
  while (line < first) {
    signal.throwIfAborted()
    if (position > MAX_SCANNED_BYTES) return { isTooFar: true }
    const chunk = await readPart(file, position, CHUNK_BYTES)
    if (chunk.length === 0) return { position, lines: line }
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) {
      if (++line === first) return { position: position + at + 1, lines: line - 1 }
    }
    position += chunk.length
  }
  return { position, lines: line }
}

// The end of the last whole line that is wanted and fits. A line that does not fit alone is cut.
function endOfLines(text: Buffer, limit: number, isCutShort: boolean): number {
  let lines = 0
  let end = 0
  for (let at = text.indexOf(NEW_LINE); at >= 0 && lines < limit; at = text.indexOf(NEW_LINE, at + 1)) {
    lines++
    end = at + 1
  }
  return lines === limit || (isCutShort && lines > 0) ? end : text.length
}

function countLines(text: Buffer): number {
  let lines = 0
  for (const byte of text) if (byte === NEW_LINE) lines++
  return lines
}

const isBinary = async (file: FileHandle): Promise<boolean> => (await readPart(file, 0, 8_192)).includes(0)

// A character cut at the end is left out.
const decode = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true })
