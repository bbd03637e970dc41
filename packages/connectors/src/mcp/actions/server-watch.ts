import type { AppChange, Connector } from '@capstan/harness/connectors'
import { cutText, NotTold } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import { toDigest } from '../../sync/bound-page.ts'
import { pause } from '../../pause.ts'
import { untilAborted } from '../../until-aborted.ts'
import type { ServerRegistry } from '../servers/server-registry.ts'
import type { ConnectionSessions } from '../sessions/connection-sessions.ts'
import type { Session } from '../sessions/session.ts'
import type { SecretCache } from '../sign-in/secret-cache.ts'
import { createChangedResources } from './changed-resources.ts'
import { listResources } from './list-resources.ts'
import { textOf } from './resource-source.ts'

const MOST_WATCHED = 200
const MOST_NAMES = 20
const TEXT_CHARS = 20_000

export interface ServerWatchOptions {
  readonly servers: ServerRegistry
  readonly sessions: ConnectionSessions
  readonly secrets: SecretCache
  readonly clock: Clock
  readonly timeoutMs: number
  readonly paceMs: number
}

/** Listens to the resources of a server, and keeps its session open for as long. */
export function createServerWatch(options: ServerWatchOptions): NonNullable<Connector['watch']> {
  const { servers, sessions, secrets } = options
  return (connection) => {
    if (!servers.get(connection.toolkit)) return undefined
    if (servers.factsOf(connection.toolkit).hasResources === false) return undefined
    const redact = (text: string): string => secrets.redact(text, connection.id, connection.toolkit)
    return (report, signal) => {
      const work = sessions.use(connection, (session) =>
        watchResources(session, { ...options, redact, report, signal }),
      )
      return untilAborted(work, signal)
    }
  }
}

interface WatchParts extends Pick<ServerWatchOptions, 'clock' | 'timeoutMs' | 'paceMs'> {
  readonly redact: (text: string) => string
  readonly report: (change: AppChange) => Promise<void>
  readonly signal: AbortSignal
}

/** Names by address. */
type Known = ReadonlyMap<string, string>

async function watchResources(session: Session, parts: WatchParts): Promise<never> {
  const { report, signal, clock, paceMs, timeoutMs } = parts
  signal.throwIfAborted()
  const { resourceChanges } = session
  const { tells } = resourceChanges
  if (!tells.updates && !tells.list) throw new NotTold('the server does not tell of changes of its resources')
  const changed = createChangedResources(MOST_WATCHED)
  const stop = (): void => changed.end(signal.reason as Error)
  const lose = (): void => changed.end(new Error('the server can no longer be listened to'))
  signal.addEventListener('abort', stop, { once: true })
  void session.closed.then(lose)
  const limits = { signal, timeoutMs }
  const readList = (): Promise<Known> => listResources(session, limits, MOST_WATCHED)
  let known: Known = new Map()
  const unlisten = resourceChanges.listen((uri) => {
    // Only what the server lists is read.
    if (uri === undefined || known.has(uri)) changed.add(uri)
  })
  try {
    // First of all it is looked at as it is now.
    changed.add(undefined)
    for (;;) {
      const { uri } = await changed.next()
      if (uri === undefined) {
        const before = known
        known = await readList()
        if (before.size === 0 || !isSame(before, known))
          await resourceChanges.subscribe([...known.keys()], limits, lose)
        await report(toListChange(before, known, parts))
      } else {
        await report(await readChange(session, { uri, title: known.get(uri) ?? uri }, parts))
      }
      await pause(clock, paceMs, signal)
    }
  } finally {
    unlisten()
    signal.removeEventListener('abort', stop)
  }
}

const isSame = (one: Known, other: Known): boolean =>
  one.size === other.size && [...one.keys()].every((uri) => other.has(uri))

function toListChange(before: Known, now: Known, { redact }: WatchParts): AppChange {
  const names = (from: Known, without: Known): readonly string[] =>
    [...from].flatMap(([uri, name]) => (without.has(uri) ? [] : [redact(name)])).slice(0, MOST_NAMES)
  const isFirst = before.size === 0
  return {
    type: 'list',
    version: toDigest(...[...now.keys()].toSorted()),
    added: isFirst ? [] : names(now, before),
    removed: names(before, now),
  }
}

/** A resource that cannot be read has changed all the same. */
async function readChange(
  session: Session,
  { uri, title }: { readonly uri: string; readonly title: string },
  { redact, signal, timeoutMs }: WatchParts,
): Promise<AppChange> {
  const about = { type: 'item', id: uri, title: redact(title) } as const
  try {
    const text = textOf(await session.readResource(uri, { signal, timeoutMs }))
    if (text === undefined) return { ...about, version: 'no text' }
    return { ...about, version: toDigest(text), text: redact(cutText(text, TEXT_CHARS)) }
  } catch {
    signal.throwIfAborted()
    return { ...about, version: 'not readable' }
  }
}
