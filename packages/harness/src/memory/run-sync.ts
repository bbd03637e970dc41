import type { SyncPage } from '../ports/sync-source.ts'
import { findUsedUp, useOfDay } from './daily-use.ts'
import { removeUnlisted } from './remove-unlisted.ts'
import { count, noteProblem, toDraft } from './sync-draft.ts'
import type { SyncOptions, SyncRun } from './sync-run.ts'
import { request } from './sync-run.ts'
import type { SyncEnd, SyncState } from './sync-state.ts'
import { NEW_SYNC, SYNC_LIMITS } from './sync-state.ts'
import { takeEntries } from './take-entries.ts'
import { takePage } from './take-page.ts'
import { isBefore } from './window.ts'

/** A page that failed this often in a row is not asked for again: the sync begins anew. */
const MOST_PAGE_FAILURES = 5

/**
 * Brings what changed in an app into memory, page by page. The state is saved after each page, so a run that was cut off
 * is continued by the next. Rejects when a page cannot be had: what was done until then is saved.
 */
export async function runSync(options: SyncOptions): Promise<{ state: SyncState; end: SyncEnd }> {
  const { state = NEW_SYNC, source, clock, limits } = options
  const draft = toDraft(state, source, clock.now())
  const run: SyncRun = { ...options, draft, bounds: { ...SYNC_LIMITS, ...limits }, pages: 0, items: 0 }
  const { retry } = draft
  draft.retry = []
  let end = await takeEntries(run, retry)
  while (!end) {
    end = findCap(run)
    if (end) break
    const page = await fetchPage(run)
    const before = run.items
    end = (await takePage(run, page)) ?? (await turnPage(run, page, run.items > before))
    if (!end) await save(run)
  }
  draft.end = end
  await save(run)
  return { state: toState(run), end }
}

function findCap({ pages, bounds, draft, clock }: SyncRun): SyncEnd | undefined {
  if (pages >= bounds.pages) return 'pages'
  return findUsedUp(useOfDay(draft.used, clock.now()), bounds)
}

async function fetchPage(run: SyncRun): Promise<SyncPage> {
  const { draft, source, signal, clock } = run
  try {
    return await request(run, (asked) => source.page(draft.cursor, asked))
  } catch (error) {
    signal.throwIfAborted()
    noteProblem(draft, error, clock.now())
    draft.pageFailures++
    if (draft.cursor !== undefined && draft.pageFailures >= MOST_PAGE_FAILURES) {
      delete draft.cursor
      draft.pageFailures = 0
      draft.pass = { startedAt: clock.now(), isQuick: false, seen: '' }
    }
    await save(run)
    throw error
  }
}

/** Moves on to the next page, or ends the sync after the last one. */
async function turnPage(run: SyncRun, page: SyncPage, hasChanges: boolean): Promise<'done' | undefined> {
  const { draft, source, clock } = run
  const { pass } = draft
  run.pages++
  count(draft, 'pages')
  draft.pageFailures = 0
  const isOld = source.isNewestFirst === true && isBefore(run, page.entries)
  const isSame = pass.isQuick && !hasChanges && page.entries.length > 0
  if (page.next !== undefined && !isOld && !isSame) {
    draft.cursor = page.next
    return undefined
  }
  if (source.kind === 'list' && !isSame) {
    if (!page.isPartial) await removeUnlisted(run)
    draft.lastWholeAt = clock.now()
  }
  delete draft.cursor
  if (page.resume !== undefined) draft.cursor = page.resume
  draft.lastDoneAt = clock.now()
  return 'done'
}

async function save(run: SyncRun): Promise<void> {
  run.signal.throwIfAborted()
  await run.save(toState(run))
}

function toState({ draft }: SyncRun): SyncState {
  const { pass, ...rest } = draft
  return draft.end === 'done' ? rest : { ...rest, pass }
}
