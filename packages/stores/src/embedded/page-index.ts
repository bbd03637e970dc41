import { textOf } from '@capstan/harness'
import type { LedgerRecord } from '@capstan/harness'
import type { RunId } from '@capstan/protocol'
import type { Connection } from './connection.ts'
import { HOLDS_USAGE, HOLDS_WORDS, parseBody } from './journal.ts'
import type { Journal, Page } from './journal.ts'
import type { RunRows } from './run-rows.ts'
import type { SearchRows } from './search-rows.ts'
import type { UsageRows } from './usage-rows.ts'

/**
 * Everything that is found by looking for it (pages by thread, usage, words) follows the journal in batches: a commit
 * writes one row, and the rest costs a fraction when it is done for many at once. Nothing is lost by a crash; the next
 * start goes on where the index ends.
 */
export interface PageIndex {
  /** The page was committed. */
  add(page: Page): void
  /** Indexes what is waiting. Throws what the disk says; then it waits on. */
  catchUp(): void
  /** As `catchUp`, but what cannot be done now is left for later. */
  tryCatchUp(): void
  stop(): void
}

/** More than these and they are indexed as soon as there is nothing else to do. */
const ENOUGH_PAGES = 64

export function createPageIndex(
  connection: Connection,
  journal: Journal,
  rows: { readonly runs: RunRows; readonly usage: UsageRows; readonly search: SearchRows },
): PageIndex {
  let waiting: Page[] = [...journal.tail()]
  let isPlanned: NodeJS.Immediate | undefined

  const catchUp = (): void => {
    const pages = waiting
    const last = pages.at(-1)
    if (!last) return
    connection.transaction(() => {
      for (const page of pages) {
        journal.index(page)
        if ((page.kinds & (HOLDS_USAGE | HOLDS_WORDS)) === 0) continue
        const records = parseBody(page.body)
        rows.usage.add(page, records)
        rows.search.add(page.thread, wordsOf(records, rows.runs))
      }
      journal.indexedUpTo(last.id)
    })
    waiting = []
  }
  const tryCatchUp = (): void => {
    try {
      catchUp()
    } catch {
      // Reading works without, and the next one tries again.
    }
  }
  return {
    add(page) {
      waiting.push(page)
      if (waiting.length < ENOUGH_PAGES || isPlanned) return
      isPlanned = setImmediate(() => {
        isPlanned = undefined
        tryCatchUp()
      })
    },
    catchUp,
    tryCatchUp,
    stop() {
      clearImmediate(isPlanned)
    },
  }
}

/** What was asked and answered in turns; sub-agents talk among themselves. */
export function wordsOf(records: readonly LedgerRecord[], runs: RunRows): string[] {
  const isTurn = (runId: RunId): boolean => runs.get(runId)?.row.depth === 0
  return records.flatMap((record) => {
    if (record.type === 'run-start') return record.run.depth === 0 ? record.run.text : []
    if (record.type === 'run-end') return isTurn(record.runId) ? record.outcome.text : []
    if (record.type !== 'message') return []
    const { message, runId } = record
    return message.role === 'user' && message.delivery && isTurn(runId) ? textOf(message) : []
  })
}
