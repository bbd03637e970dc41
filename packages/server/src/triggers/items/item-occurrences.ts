import { createHash } from 'node:crypto'
import type { MemoryItem } from '@capstan/harness/stores'
import type { SeenItem } from '../../sync/watched-memory.ts'
import type { Occurrence } from '../occurrence.ts'
import type { StoredSource } from '../stored-source.ts'

const TEXT_CHARS = 6_000
/** The clock of an app may be ahead of ours by so much. */
const AHEAD_MS = 3_600_000

/**
 * Whether an item is news for a source: it was changed after the source was created. For an item without a time, it counts
 * when it was seen; a first sync sees everything, so nothing without a time is news in it. Pure.
 */
export function isNews(
  { at, seenAt }: MemoryItem,
  { createdAt }: Pick<StoredSource, 'createdAt'>,
  { isFirst }: { readonly isFirst: boolean },
): boolean {
  // An item without a time has the one at which it was seen.
  const isKnown = at !== seenAt && at <= seenAt + AHEAD_MS
  return isKnown ? at >= createdAt : !isFirst && seenAt >= createdAt
}

/** An item in one version is one occurrence, however often it is seen. Pure. */
export function toItemOccurrence({ item, isNew }: SeenItem): Occurrence {
  const { app, title, text, people, link, at } = item
  return {
    externalId: idOf(item),
    label: `${isNew ? 'New' : 'Changed'}: ${title || 'an item without a title'}`,
    payload: JSON.stringify({
      change: isNew ? 'new' : 'changed',
      app,
      title,
      at: new Date(at).toISOString(),
      people,
      ...(link !== undefined && { link }),
      text: text.slice(0, TEXT_CHARS),
    }),
  }
}

/** Stands for the items of a run that are not reported, this one being the first of them. Pure. */
export const toMoreItems = ({ item }: SeenItem): Occurrence => ({
  externalId: `more ${idOf(item)}`,
  label: 'More items than are reported at once',
  payload: JSON.stringify({ change: 'more', app: item.app }),
})

const idOf = ({ id, version, title, text }: MemoryItem): string =>
  `${id} ${
    version ??
    createHash('sha256')
      .update(JSON.stringify([title, text]))
      .digest('hex')
  }`
