import { createHash } from 'node:crypto'
import { cutText } from '@capstan/harness/connectors'
import type { SyncEntry, SyncPage } from '@capstan/harness/memory'

const MOST_ENTRIES = 10_000
const CURSOR_CHARS = 4_000
const ID_CHARS = 2_000
const VERSION_CHARS = 200
const TITLE_CHARS = 300
const TEXT_CHARS = 100_000
const LINK_CHARS = 2_000
const NAME_CHARS = 100
const MOST_PEOPLE = 50
/** What is later is no date. */
const LATEST_TIME = 8_640_000_000_000_000

/**
 * A page that an app sent, in bounds: each id once, texts cut. An item whose id is too long is left out, because a part of an id
 * could be the id of another. Throws for a page that is too large, and for a cursor that is too long. Pure.
 */
export function boundPage({ entries, deleted, next, resume, isPartial }: SyncPage): SyncPage {
  if (entries.length > MOST_ENTRIES) throw new Error(`a page has more than ${MOST_ENTRIES} items`)
  for (const cursor of [next, resume]) {
    if (cursor !== undefined && cursor.length > CURSOR_CHARS)
      throw new Error('a cursor of a page is too long')
  }
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    entries: [...byId.values()].filter(({ id }) => isId(id)).map(boundEntry),
    ...(deleted && { deleted: [...new Set(deleted)].filter(isId).slice(0, MOST_ENTRIES) }),
    ...(next !== undefined && { next }),
    ...(resume !== undefined && { resume }),
    ...(isPartial && { isPartial }),
  }
}

/** An item in bounds. Fields that are no part of an item are left out. Pure. */
export function boundEntry({ id, version, at, title, text, link, people }: SyncEntry): SyncEntry {
  const isTime = at !== undefined && Number.isSafeInteger(at) && at >= 0 && at <= LATEST_TIME
  return {
    id,
    ...(version !== undefined && { version: toVersion(version) }),
    ...(isTime && { at }),
    ...(title !== undefined && { title: cutText(title, TITLE_CHARS) }),
    ...(text !== undefined && { text: cutText(text, TEXT_CHARS) }),
    ...(link !== undefined && link.length <= LINK_CHARS && { link }),
    ...(people && { people: people.slice(0, MOST_PEOPLE).map((name) => cutText(name, NAME_CHARS)) }),
  }
}

/** A fingerprint of texts, for apps that do not name the versions of their items. Pure. */
export const toDigest = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32)

const isId = (id: string): boolean => id !== '' && id.length <= ID_CHARS

const toVersion = (version: string): string => (version.length <= VERSION_CHARS ? version : toDigest(version))
