import { cutText } from '@capstan/harness/connectors'
import type { CallLimits, Session } from '../sessions/session.ts'

const MOST_PAGES = 20
const URI_CHARS = 2_000
const NAME_CHARS = 300

/** The names of the first resources that a server lists, by their addresses. */
export async function listResources(
  session: Session,
  limits: CallLimits,
  most: number,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES && found.size < most; page++) {
    const { resources, nextCursor } = await session.listResources(cursor, limits)
    for (const { uri, title, name } of resources)
      if (found.size < most && uri.length <= URI_CHARS) found.set(uri, cutText(title ?? name, NAME_CHARS))
    if (nextCursor === undefined || nextCursor === cursor) break
    cursor = nextCursor
  }
  return found
}
