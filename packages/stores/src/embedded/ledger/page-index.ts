import { searchableText } from '@capstan/harness/stores'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { RunId } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import { HOLDS_USAGE, HOLDS_WORDS, parseBody } from '../../shared/ledger/page-body.ts'
import type { Journal, Page } from './journal.ts'
import type { RunRows } from '../runs/run-rows.ts'
import type { SearchRows } from '../threads/search-rows.ts'
import type { UsageRecord, UsageRows } from '../runs/usage-rows.ts'

/**
 * Indexes (pages by thread, usage, search) follow the journal in batches: a commit writes one row, and indexing many
 * pages at once costs a fraction. A crash loses nothing: the next start goes on where the index ends.
 */
export interface PageIndex {
  /** The page was committed. */
  add(page: Page, records: readonly LedgerRecord[]): void
  /** Indexes the waiting pages. Throws when that fails; they stay waiting. */
  catchUp(): void
  /** As `catchUp`, but a failure is left for the next attempt. */
  tryCatchUp(): void
  stop(): void
}

/** From this many on, they are indexed at the next turn of the event loop. */
const ENOUGH_PAGES = 64
/** From this many on, they are indexed at once: a reader should not have to search more pages than this. */
const MANY_PAGES = 256
/** Fewer wait this long at most, so that a reader finds recent messages. */
const SOON_ENOUGH_MS = 500

export function createPageIndex(
  connection: Connection,
  journal: Journal,
  rows: { readonly runs: RunRows; readonly usage: UsageRows; readonly search: SearchRows },
): PageIndex {
  // Pages that the last owner of the file left.
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

/** What the index needs of a page. It is held in memory until it is indexed. */
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
