import type { Effect } from '@capstan/harness'
import type { Action } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { Tool } from '@modelcontextprotocol/client'
import type { Session } from '../sessions/session.ts'
import type { McpServerConfig } from '../servers/server-config.ts'
import { MAX_ACTIONS, toActions } from './to-actions.ts'

/** Reads the action lists of servers, and remembers the last one of each. */
export interface ActionLists {
  /** Asks the server for all pages of its list. */
  read(session: Session, server: McpServerConfig, signal: AbortSignal): Promise<readonly Action[]>
  /** According to the last list. */
  effectOf(slug: string, action: string): Effect | undefined
  definitionOf(slug: string, action: string): Tool | undefined
  /** The schema of what it answers, if the server says it and it is not too large. */
  outputOf(slug: string, action: string): unknown
  forget(slug: string): void
  close(): void
}

export interface ActionListsOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly onProblem: (slug: string, message: string) => void
  /** A list that was read again after its time differs from the one before. */
  readonly onChange: (slug: string) => void
}

interface LastList {
  readonly definitions: ReadonlyMap<string, Tool>
  readonly effects: ReadonlyMap<string, Effect>
  readonly outputs: ReadonlyMap<string, unknown>
  readonly digest: string
  readonly disarm: () => void
}

const MAX_OUTPUT_CHARS = 32_768
const SHORTEST_TTL_MS = 5_000
const LONGEST_TTL_MS = 24 * 60 * 60_000

export function createActionLists({
  clock,
  timeoutMs,
  onProblem,
  onChange,
}: ActionListsOptions): ActionLists {
  const lists = new Map<string, LastList>()
  let isClosed = false

  async function read(
    session: Session,
    server: McpServerConfig,
    signal: AbortSignal,
  ): Promise<readonly Action[]> {
    const { tools, ttlMs } = await readPages(session, { timeoutMs, signal })
    const { actions, problems } = toActions(tools, {
      slug: server.slug,
      isTrusted: server.isTrusted === true,
    })
    for (const problem of problems) onProblem(server.slug, problem)
    const digest = actions.map((action) => action.digest).join()
    const effects = new Map(actions.map(({ name, effect }) => [name, effect]))
    lists.get(server.slug)?.disarm()
    lists.set(server.slug, {
      // Only of usable actions, and only what the library needs: the rest may be of any size.
      definitions: new Map(
        tools
          .filter(({ name }) => effects.has(name))
          .map(({ name, inputSchema }) => [name, { name, inputSchema }]),
      ),
      effects,
      outputs: new Map(
        tools
          .filter(({ name, outputSchema }) => effects.has(name) && isSmall(outputSchema))
          .map(({ name, outputSchema }) => [name, outputSchema]),
      ),
      digest,
      disarm: ttlMs > 0 && !isClosed ? readAgain(session, server, { ttlMs, digest }) : () => {},
    })
    return actions
  }

  /** Reads a list again when the server's `ttlMs` is over, as long as the session is open. */
  function readAgain(
    session: Session,
    server: McpServerConfig,
    { ttlMs, digest }: { readonly ttlMs: number; readonly digest: string },
  ): () => void {
    return clock.after(Math.min(Math.max(ttlMs, SHORTEST_TTL_MS), LONGEST_TTL_MS), () => {
      if (!session.isOpen) return
      read(session, server, new AbortController().signal).then(
        (actions) => {
          if (actions.map((action) => action.digest).join() !== digest) onChange(server.slug)
        },
        () => {}, // the next read reports it
      )
    })
  }

  function forget(slug: string): void {
    lists.get(slug)?.disarm()
    lists.delete(slug)
  }

  return {
    read,
    effectOf: (slug, action) => lists.get(slug)?.effects.get(action),
    definitionOf: (slug, action) => lists.get(slug)?.definitions.get(action),
    outputOf: (slug, action) => lists.get(slug)?.outputs.get(action),
    forget,
    close() {
      isClosed = true
      for (const slug of lists.keys()) forget(slug)
    },
  }
}

const isSmall = (schema: unknown): boolean =>
  schema !== undefined && JSON.stringify(schema).length <= MAX_OUTPUT_CHARS

async function readPages(
  session: Session,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<{ readonly tools: readonly Tool[]; readonly ttlMs: number }> {
  const tools: Tool[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  let ttlMs: number | undefined
  do {
    const page = await session.listPage(cursor, limits)
    for (const tool of page.tools) tools.push(tool)
    ttlMs ??= page.ttlMs
    cursor = page.nextCursor
    if (cursor !== undefined && cursors.has(cursor)) break // the pages repeat
    if (cursor !== undefined) cursors.add(cursor)
  } while (cursor !== undefined && tools.length <= MAX_ACTIONS && cursors.size < MAX_ACTIONS)
  return { tools, ttlMs: ttlMs ?? 0 }
}
