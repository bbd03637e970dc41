import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import type { MemoryItem } from '@capstan/harness/stores'
import { MAX_ITEMS_ADDED } from '@capstan/protocol'
import { EXIT } from '../../shell/exit-code.ts'
import { openInput } from '../../shell/open-input.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson } from '../../shell/write.ts'
import { LineError, parseLine } from '../jsonl/answer-lines.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { withMemoryEditor } from './change-memory.ts'
import type { MemoryAction } from './memory-action.ts'
import { parseItem } from './parse-item.ts'

// Well below what the server takes at once.
const CHARS_AT_ONCE = 1_000_000
const MAX_SHOWN = 20

/** `capstan memory import --jsonl [file|-]` */
export const importItems: MemoryAction = async ([file = '-', ...more], flags, shell) => {
  if (!flags.jsonl) throw new UsageError('Items are read as JSON lines: add --jsonl.')
  if (more.length > 0) throw new UsageError('Give one file, or - for standard input.')
  const input = await openInput(file, shell)
  return withMemoryEditor(shell, flags.home, async (memory) => {
    const problems: { readonly line: number; readonly error: string }[] = []
    let imported = 0
    let added = 0
    for await (const items of readBatches(input, problems)) {
      const answer = await memory.put(items)
      imported += items.length
      added += answer.added
    }
    for (const { line, error } of problems.slice(0, MAX_SHOWN))
      shell.stderr.write(`capstan: line ${line}: ${toPrintableLine(error)}\n`)
    if (problems.length > MAX_SHOWN)
      shell.stderr.write(`capstan: and ${problems.length - MAX_SHOWN} more lines could not be read.\n`)
    if (flags.json) writeJson(shell, { imported, added, problems })
    else shell.stderr.write(`Imported ${imported} items, ${added} of them new.\n`)
    return problems.length === 0 ? EXIT.done : EXIT.failed
  })
}

/** Items in batches. A line that cannot be read is noted with its number, and the others are read on. */
async function* readBatches(
  input: Readable,
  problems: { readonly line: number; readonly error: string }[],
): AsyncGenerator<readonly MemoryItem[]> {
  let batch: MemoryItem[] = []
  let chars = 0
  let line = 0
  const now = Date.now()
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line++
    if (text.trim() === '') continue
    try {
      batch.push(parseItem(parseLine(text), now))
      chars += text.length
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      problems.push({ line, error: error.message })
    }
    if (batch.length < MAX_ITEMS_ADDED && chars < CHARS_AT_ONCE) continue
    if (batch.length > 0) yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}
