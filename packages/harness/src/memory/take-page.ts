import type { SyncEntry, SyncPage } from '../ports/sync-source.ts'
import type { MemoryItem } from '../ports/user-memory.ts'
import { addMarks } from './seen-marks.ts'
import { count } from './sync-draft.ts'
import type { SyncRun } from './sync-run.ts'
import type { SyncEnd } from './sync-state.ts'
import { takeEntries } from './take-entries.ts'
import { toItemId, toVersion } from './to-item.ts'
import { windowStart } from './window.ts'

/** What came of a page. */
interface TakenPage {
  /** Why it had to stop before the end of the page. */
  readonly end?: SyncEnd
  /** Something on it has changed since the last sync that ended, also if that was stored before a kill. */
  readonly hasChanges: boolean
}

/** Stores what changed on a page and removes what is gone. */
export async function takePage(run: SyncRun, page: SyncPage): Promise<TakenPage> {
  const { memory, userId, account, draft, source } = run
  const entries = [...new Map(page.entries.map((entry) => [entry.id, entry])).values()]
  const ids = entries.map(({ id }) => toItemId(account, id))
  const stored = await Promise.all(ids.map(async (id) => memory.get(userId, id)))
  run.signal.throwIfAborted()

  const changed = entries.filter((entry, index) => {
    const isWanted = (entry.at ?? Infinity) >= windowStart(run)
    return isWanted && !isSame(entry, stored[index])
  })
  const wanted = new Set(changed)
  const before = run.items
  const end = await takeEntries(run, changed)
  const { lastDoneAt = Infinity } = draft
  const hasChanges =
    run.items > before || stored.some((item) => item !== undefined && item.seenAt > lastDoneAt)
  // The page is asked for again: what was stored of it is then unchanged.
  if (end) return { end, hasChanges }

  const rest = entries.filter((entry) => !wanted.has(entry))
  const unchanged = rest.filter(({ at }) => (at ?? Infinity) >= windowStart(run)).length
  count(draft, 'unchanged', unchanged)
  count(draft, 'tooOld', rest.length - unchanged)
  // What was stored now is known by its time.
  if (source.kind === 'list') {
    const seen = addMarks(
      draft.pass.seen,
      ids.filter((_, index) => stored[index] !== undefined),
    )
    draft.pass = { ...draft.pass, seen }
  }
  await removeDeleted(run, page.deleted ?? [])
  return { hasChanges }
}

const isSame = ({ version }: SyncEntry, stored: MemoryItem | undefined): boolean =>
  version !== undefined && stored?.version === toVersion(version)

async function removeDeleted(run: SyncRun, deleted: readonly string[]): Promise<void> {
  if (deleted.length === 0) return
  const { memory, userId, account, draft } = run
  const gone = new Set(deleted)
  draft.retry = draft.retry.filter(({ id }) => !gone.has(id))
  const ids = deleted.map((id) => toItemId(account, id))
  count(draft, 'removed', await memory.remove(userId, ids))
}
