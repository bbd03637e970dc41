import type { SyncEntry } from '../ports/sync-source.ts'
import type { MemoryItem } from '../ports/user-memory.ts'
import { letOthersRun } from '../turn/let-others-run.ts'
import { findUsedUp, toTokens, useOfDay } from './daily-use.ts'
import { count, noteProblem } from './sync-draft.ts'
import type { SyncRun } from './sync-run.ts'
import { request } from './sync-run.ts'
import type { SyncEnd } from './sync-state.ts'
import { toItem, toItemId, toVersion } from './to-item.ts'

const READS_TOGETHER = 5
const MOST_ATTEMPTS = 5
const MOST_RETRIES = 200
const CHARS_AT_ONCE = 100_000

type Retried = SyncEntry & { readonly attempts?: number }

/** Reads entries whose text is missing, and stores all. One that fails stops no other. Answers which cap was reached. */
export async function takeEntries(run: SyncRun, entries: readonly Retried[]): Promise<SyncEnd | undefined> {
  const items: MemoryItem[] = []
  let end: SyncEnd | undefined
  let at = 0
  while (at < entries.length) {
    const room = roomOf(run, items.length)
    end = room.end
    if (end) break
    const together = entries.slice(at, at + room.items)
    at += together.length
    const read = await Promise.all(together.map((entry) => readEntry(run, entry)))
    items.push(...read.filter((item) => item !== undefined))
    useTokens(run, read)
  }
  run.signal.throwIfAborted()
  if (end) keepForLater(run, entries.slice(at))
  await storeItems(run, items)
  return end
}

/** How many entries may be taken next, or which cap was reached. */
function roomOf(run: SyncRun, waiting: number): { readonly items: number; readonly end?: SyncEnd } {
  const { bounds, draft, clock } = run
  const used = useOfDay(draft.used, clock.now())
  const items = bounds.items - run.items - waiting
  const requests = run.source.read ? bounds.requestsPerDay - used.requests : Infinity
  if (items <= 0) return { items: 0, end: 'items' }
  const end = requests <= 0 ? 'requests' : findUsedUp({ ...used, requests: 0 }, bounds)
  return end ? { items: 0, end } : { items: Math.min(READS_TOGETHER, items, requests) }
}

async function readEntry(run: SyncRun, entry: Retried): Promise<MemoryItem | undefined> {
  const { source, draft, clock, account, memory, userId } = run
  try {
    const read = entry.text === undefined && source.read !== undefined
    const whole = read ? await request(run, (signal) => source.read!(entry, signal)) : entry
    if (whole && (await isStored(run, entry, whole))) {
      count(draft, 'unchanged')
      return undefined
    }
    if (whole) return toItem(account, { ...whole, id: entry.id }, Math.max(clock.now(), draft.pass.startedAt))
    count(draft, 'removed', await memory.remove(userId, [toItemId(account, entry.id)]))
  } catch (error) {
    run.signal.throwIfAborted()
    noteFailure(run, entry, error)
  }
  return undefined
}

/** Whether an item whose version is known only after it was read is stored in that version. */
async function isStored({ memory, userId, account }: SyncRun, entry: SyncEntry, { version }: SyncEntry) {
  if (entry.version !== undefined || version === undefined) return false
  return (await memory.get(userId, toItemId(account, entry.id)))?.version === toVersion(version)
}

/** A list names the item again at the next sync. Of changes, it has to be remembered. */
function noteFailure(run: SyncRun, { attempts = 0, ...entry }: Retried, error: unknown): void {
  const { draft, clock, source } = run
  count(draft, 'failed')
  noteProblem(draft, error, clock.now(), entry.id)
  const { text: _, ...known } = entry
  if (source.kind === 'changes' && source.read && attempts + 1 < MOST_ATTEMPTS) {
    draft.retry = [...draft.retry, { ...known, attempts: attempts + 1 }].slice(-MOST_RETRIES)
  }
}

/** Entries that were waiting for another attempt wait on. Others are on a page that is asked for again. */
function keepForLater(run: SyncRun, entries: readonly Retried[]): void {
  const waiting = entries.flatMap((entry) =>
    entry.attempts === undefined ? [] : [{ ...entry, attempts: entry.attempts }],
  )
  run.draft.retry = [...run.draft.retry, ...waiting]
}

function useTokens({ draft, clock }: SyncRun, items: readonly (MemoryItem | undefined)[]): void {
  const used = useOfDay(draft.used, clock.now())
  const tokens = items.reduce((sum, item) => sum + toTokens(item?.text ?? ''), 0)
  draft.used = { ...used, tokens: used.tokens + tokens }
}

/**
 * Some at once: a store may take all of its process for as long as it makes texts searchable. Throws when the store
 * takes none of them.
 */
async function storeItems(run: SyncRun, items: readonly MemoryItem[]): Promise<void> {
  let batch: MemoryItem[] = []
  let chars = 0
  let stored = 0
  let refusal: unknown
  for (const [index, item] of items.entries()) {
    batch.push(item)
    chars += item.text.length
    if (chars < CHARS_AT_ONCE && index < items.length - 1) continue
    const kept = await storeBatch(run, batch)
    stored += kept.stored
    refusal ??= kept.refusal
    batch = []
    chars = 0
    await letOthersRun()
    run.signal.throwIfAborted()
  }
  if (stored === 0 && refusal !== undefined) throw refusal
}

/** All at once; one by one when the store refuses that, so that one item stops no other. */
async function storeBatch(
  run: SyncRun,
  items: readonly MemoryItem[],
): Promise<{ readonly stored: number; readonly refusal?: unknown }> {
  const { memory, userId, draft } = run
  const noteStored = (added: number, all: number): void => {
    run.items += all
    count(draft, 'added', added)
    count(draft, 'changed', all - added)
  }
  try {
    const { added } = await memory.put(userId, items)
    noteStored(added, items.length)
    return { stored: items.length }
  } catch (refusal) {
    let stored = 0
    for (const item of items) {
      try {
        const { added } = await memory.put(userId, [item])
        noteStored(added, 1)
        stored++
      } catch (error) {
        const { externalId: id, ...rest } = item
        noteFailure(run, { ...rest, id }, error)
      }
    }
    return { stored, refusal }
  }
}
