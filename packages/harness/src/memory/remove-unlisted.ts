import type { MemoryItem } from '../ports/user-memory.ts'
import { readMarks } from './seen-marks.ts'
import { count } from './sync-draft.ts'
import type { SyncRun } from './sync-run.ts'
import { toItemId } from './to-item.ts'
import { windowStart } from './window.ts'

const AT_ONCE = 500

/** Removes the items of a list that it no longer names, once it was read to its end. */
export async function removeUnlisted(run: SyncRun): Promise<void> {
  const { memory, userId, account, draft, source, signal } = run
  const isMarked = readMarks(draft.pass.seen)
  if (!isMarked) return
  // The list may have ended at the window: what is older was not asked for.
  const from = source.isNewestFirst ? windowStart(run) : 0
  const isGone = (item: MemoryItem): boolean =>
    item.seenAt < draft.pass.startedAt &&
    item.at >= from &&
    item.id === toItemId(account, item.externalId) &&
    !isMarked(item.id)

  let cursor: MemoryItem | undefined
  for (;;) {
    const page = await memory.list(userId, { ...account, limit: AT_ONCE, ...(cursor && { cursor }) })
    signal.throwIfAborted()
    const gone = page.filter(isGone).map(({ id }) => id)
    if (gone.length > 0) count(draft, 'removed', await memory.remove(userId, gone))
    cursor = page.at(-1)
    if (page.length < AT_ONCE) return
  }
}
