import { createHash } from 'node:crypto'
import type { SyncEntry } from '../ports/sync-source.ts'
import type { MemoryItem } from '../ports/user-memory.ts'
import { cutText } from '../text/cut-text.ts'
import { sanitizeLine, sanitizeText } from '../text/untrusted-text.ts'
import { scrubLongText } from '../tool-path/scrub/scrub-stream.ts'

const TITLE_CHARS = 300
const TEXT_CHARS = 100_000
const NAME_CHARS = 100
const MOST_PEOPLE = 50
const LINK_CHARS = 2_000
const ID_CHARS = 2_000
const VERSION_CHARS = 200

/** The account whose items are synced. */
export interface SyncAccount {
  readonly app: string
  readonly account: string
}

/** The id in memory of an item of an app. The same for as long as the account has the same name. */
export function toItemId({ app, account }: SyncAccount, externalId: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([account, externalId]))
    .digest('hex')
  return `${app}_${digest.slice(0, 24)}`
}

/** An item to store: cleaned, without secrets, cut to size. */
export function toItem(place: SyncAccount, entry: SyncEntry, now: number): MemoryItem {
  const link = toLink(entry.link)
  return {
    id: toItemId(place, entry.id),
    app: place.app,
    account: place.account,
    externalId: cutText(entry.id, ID_CHARS),
    ...(entry.version !== undefined && { version: toVersion(entry.version) }),
    at: toTime(entry.at) ?? now,
    // Cleaned first: a hidden character could split a secret.
    title: scrubLongText(sanitizeLine(entry.title, TITLE_CHARS)),
    text: scrubLongText(sanitizeText(entry.text, TEXT_CHARS)),
    ...(link !== undefined && { link }),
    people: (entry.people ?? [])
      .slice(0, MOST_PEOPLE)
      .map((name) => sanitizeLine(name, NAME_CHARS))
      .filter((name) => name !== ''),
    seenAt: now,
  }
}

/** A version as it is stored, and compared. */
export const toVersion = (version: string): string =>
  version.length <= VERSION_CHARS ? version : createHash('sha256').update(version).digest('hex')

/** A later time is no date: whoever writes it out would fail. */
const LATEST_TIME = 8_640_000_000_000_000

const toTime = (at: number | undefined): number | undefined =>
  at !== undefined && Number.isSafeInteger(at) && at >= 0 && at <= LATEST_TIME ? at : undefined

/** A link that a person may open: of the web, without a password or another secret. */
function toLink(link: string | undefined): string | undefined {
  const url = link === undefined || link.length > LINK_CHARS ? null : URL.parse(link)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '' || scrubLongText(url.href) !== url.href) return undefined
  return url.href
}
