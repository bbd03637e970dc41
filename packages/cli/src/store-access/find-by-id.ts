import type { Store, StoredApproval } from '@capstan/harness/stores'
import type { RunId, RunRow, ThreadId, ThreadRow } from '@capstan/protocol'
import { cutToWidth } from '../terminal/display-width.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { USER_ID } from './open-store.ts'
import { CommandError } from '../shell/shell.ts'

const MAX_CANDIDATES = 8

/** The run with this id, or the only one whose id starts with it. Throws a `CommandError` when there is none, or several. */
export async function findRun(store: Store, id: string): Promise<RunRow> {
  const run = await store.runs.get(id as RunId)
  if (run) return run
  const runs = await store.runs.list({ userId: USER_ID })
  return onlyOne({ what: 'run', list: 'capstan runs' }, id, runs, ({ text }) => text)
}

/** The same for a thread, archived ones included. */
export async function findThread(store: Store, id: string): Promise<ThreadRow> {
  const thread = await store.threads.get(id as ThreadId)
  if (thread?.userId === USER_ID) return thread
  const threads = [
    ...(await store.threads.list({ userId: USER_ID })),
    ...(await store.threads.list({ userId: USER_ID, archived: true })),
  ]
  return onlyOne({ what: 'thread', list: 'capstan threads' }, id, threads, ({ title }) => title)
}

/** The same for an approval, answered ones included. */
export async function findApproval(store: Store, id: string, now: number): Promise<StoredApproval> {
  const approval = await store.approvals.get(id)
  if (approval) return approval
  const approvals = await store.approvals.list({ userId: USER_ID, now })
  return onlyOne({ what: 'approval', list: 'capstan approvals list' }, id, approvals, ({ label }) => label)
}

function onlyOne<Row extends { readonly id: string }>(
  { what, list }: { readonly what: string; readonly list: string },
  id: string,
  rows: readonly Row[],
  describe: (row: Row) => string,
): Row {
  const found = rows.filter((row) => row.id.startsWith(id) || row.id.startsWith(`${what}_${id}`))
  const [first] = found
  if (!first)
    throw new CommandError(`There is no ${what} "${id}".`, {
      class: 'not_found',
      next: `"${list}" lists those that there are.`,
    })
  if (found.length === 1) return first
  const more = found.length - MAX_CANDIDATES
  const ids = toShortIds(found.map((row) => row.id))
  throw new CommandError(`${found.length} ${what}s start with "${id}". Give more of the id:`, {
    class: 'conflict',
    details: [
      ...found
        .slice(0, MAX_CANDIDATES)
        .map((row) => `  ${ids.get(row.id)}  ${cutToWidth(toPrintableLine(describe(row)), 40, '...')}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ],
  })
}

/** Shortens ids to a prefix that is unique among them, and at least as long as their timestamp. */
export function toShortIds(ids: readonly string[], leastChars = 9): ReadonlyMap<string, string> {
  const sorted = ids.toSorted()
  const shared = (a = '', b = ''): number => {
    let length = 0
    while (length < a.length && a[length] === b[length]) length++
    return length
  }
  return new Map(
    sorted.map((id, index) => {
      const least = id.indexOf('_') + 1 + leastChars
      const distinct = 1 + Math.max(shared(id, sorted[index - 1]), shared(id, sorted[index + 1]))
      return [id, id.slice(0, Math.max(least, distinct))]
    }),
  )
}
