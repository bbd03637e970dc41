import type { SyncEntry, SyncSource } from '@capstan/harness/memory'
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/client'
import { boundEntry, boundPage, toDigest } from '../../sync/bound-page.ts'
import { createCursorTrail } from '../../sync/cursor-trail.ts'
import type { Session } from '../sessions/session.ts'

/** Runs `work` on a session with the server. Rejects at once when the signal is aborted. */
type OnSession = <T>(work: (session: Session) => Promise<T>, signal: AbortSignal) => Promise<T>

interface ResourceOptions {
  readonly timeoutMs: number
  /** Hides secrets in a text of the server. */
  readonly redact: (text: string) => string
}

const GONE = -32_002
const BINARY = /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|vnd\.)/i

/**
 * A sync source out of the resources that a server lists. Templates are not asked for: they name nothing that exists. Addresses
 * are only ever sent to the server that listed them, and files without text are left out.
 */
export function createResourceSource(
  onSession: OnSession,
  { timeoutMs, redact }: ResourceOptions,
): SyncSource {
  const trail = createCursorTrail()

  const fetchPage = (cursor: string | undefined, signal: AbortSignal) =>
    onSession(async (session) => {
      if (!session.hasResources) throw new Error('the server has no resources')
      const answer = await session.listResources(cursor, { signal, timeoutMs })
      return { resources: answer.resources, next: answer.nextCursor }
    }, signal)

  return {
    kind: 'list',
    async expect(signal) {
      const { resources, next } = await fetchPage(undefined, signal)
      // A server does not say how many there are in all.
      if (next !== undefined) return undefined
      const items = resources.filter(hasText).length
      return { items, requests: 1 + items }
    },
    async page(cursor, signal) {
      const { resources, next } = await fetchPage(cursor, signal)
      // A cursor that leads to itself would never end.
      const hasNext = next !== undefined && next !== '' && next !== cursor
      return boundPage({
        entries: resources.filter(hasText).map((resource) => toEntry(resource, redact)),
        ...(hasNext && { next: trail.follow(cursor, next) }),
      })
    },
    async read(entry, signal) {
      try {
        const answer = await onSession(
          (session) => session.readResource(entry.id, { signal, timeoutMs }),
          signal,
        )
        const text = textOf(answer)
        if (text === undefined) return undefined
        return boundEntry({ ...entry, version: entry.version ?? toDigest(text), text: redact(text) })
      } catch (error) {
        if ((error as { code?: unknown } | null)?.code === GONE) return undefined
        throw error
      }
    },
  }
}

const hasText = ({ mimeType }: Resource): boolean => mimeType === undefined || !BINARY.test(mimeType)

function toEntry(resource: Resource, redact: (text: string) => string): SyncEntry {
  const { uri, name, title, annotations } = resource
  const changed = annotations?.lastModified
  const at = changed === undefined ? Number.NaN : Date.parse(changed)
  return {
    id: uri,
    ...(!Number.isNaN(at) && { at, version: changed! }),
    title: redact(title ?? name),
    // Whether it may be opened is decided where it is stored.
    link: uri,
  }
}

/** The texts of a resource. Undefined when it has none. */
export function textOf({ contents }: ReadResourceResult): string | undefined {
  const texts = contents.flatMap((content) => ('text' in content ? [content.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
