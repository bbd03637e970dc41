import { searchableText } from '@capstan/harness'
import type { LedgerRecord } from '@capstan/harness'
import type { RunId } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import { HOLDS_USAGE, HOLDS_WORDS, parseBody } from './journal.ts'
import type { Journal, Page } from './journal.ts'
import type { RunRows } from '../runs/run-rows.ts'
import type { SearchRows } from '../threads/search-rows.ts'
import type { UsageRecord, UsageRows } from '../runs/usage-rows.ts'

/**
 * Everything that is found by looking for it (pages by thread, usage, words) follows the journal in batches: a commit
 * writes one row, and the rest costs a fraction when it is done for many at once. Nothing is lost by a crash; the next
 * start goes on where the index ends.
 */
export interface PageIndex {
  /** The page was committed. */
  add(page: Page, records: readonly LedgerRecord[]): void
  /** Indexes what is waiting. Throws what the disk says; then it waits on. */
  catchUp(): void
  /** As `catchUp`, but what cannot be done now is left for later. */
  tryCatchUp(): void
  stop(): void
}

/** More than these and they are indexed as soon as there is nothing else to do. */
const ENOUGH_PAGES = 64
/** So many are indexed at once, also when there is always something else to do: who reads must not wade through them. */
const MANY_PAGES = 256
/** Fewer wait this long at most, so that a reader finds what was said a moment ago. */
const SOON_ENOUGH_MS = 500

export function createPageIndex(
  connection: Connection,
  journal: Journal,
  rows: { readonly runs: RunRows; readonly usage: UsageRows; readonly search: SearchRows },
): PageIndex {
  // What was left by who owned the file before.
  let waiting = journal.tail().map((page) => toIndexed(page, parseBody(page.body)))
  let soon: NodeJS.Immediate | undefined
  let later: NodeJS.Timeout | undefined

  const catchUp = (): void => {
    const last = waiting.at(-1)
    if (!last) return
    connection.transaction(() => {
      for (const { page, usages, words } of waiting) {
        journal.index(page)
        for (const [n, usage] of usages.entries()) rows.usage.add(page, n, usage)
        if (words) rows.search.add(page.thread, searchableTexts(words, rows.runs))
      }
      journal.indexedUpTo(last.page.id)
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
    add(page, records) {
      waiting.push(toIndexed(page, records))
      later ??= setTimeout(() => {
        later = undefined
        tryCatchUp()
      }, SOON_ENOUGH_MS).unref()
      if (waiting.length < ENOUGH_PAGES) return
      if (waiting.length >= MANY_PAGES) return tryCatchUp()
      soon ??= setImmediate(() => {
        soon = undefined
        tryCatchUp()
      })
    },
    catchUp,
    tryCatchUp,
    stop() {
      clearImmediate(soon)
      clearTimeout(later)
    },
  }
}

/** What the index needs of a page, and no more of it: until it is indexed it is held in memory. */
interface Indexed {
  readonly page: Pick<Page, 'id' | 'thread' | 'lastSeq'>
  readonly usages: readonly UsageRecord[]
  readonly words: readonly LedgerRecord[] | undefined
}

const NOTHING: readonly UsageRecord[] = []

function toIndexed({ id, thread, lastSeq, kinds }: Page, records: readonly LedgerRecord[]): Indexed {
  return {
    page: { id, thread, lastSeq },
    usages: kinds & HOLDS_USAGE ? records.filter((record) => record.type === 'usage') : NOTHING,
    words: kinds & HOLDS_WORDS ? records : undefined,
  }
}

/** Questions and answers of turns, for the search. */
export function searchableTexts(records: readonly LedgerRecord[], runs: RunRows): string[] {
  const isTurn = (runId: RunId): boolean => runs.get(runId)?.row.depth === 0
  return records.flatMap((record) => searchableText(record, isTurn) ?? [])
}
