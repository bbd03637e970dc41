import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Document, DocumentKind } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'
import { StoredSources } from './stored-source.ts'
import type { StoredSource } from './stored-source.ts'

/** The sources of triggers of all users, with their secrets and what they used today. Encrypted wherever it is kept. */
export interface SourceStore {
  of(userId: string): StoredSources
  /** Whoever has had a source. */
  users(): readonly string[]
  find(userId: string, sourceId: string): StoredSource | undefined
  /** Whose source receives calls at this address. */
  findHook(hookId: string): { readonly userId: string; readonly source: StoredSource } | undefined
  change(userId: string, work: (before: StoredSources) => StoredSources): Promise<void>
  /** Undefined when there is no such source. */
  changeSource(
    userId: string,
    sourceId: string,
    work: (before: StoredSource) => StoredSource,
  ): Promise<StoredSource | undefined>
}

const PREFIX = 'triggers:'
const INDEX = `${PREFIX}users`
const Index = z.record(z.string(), z.literal(true))
const NONE: StoredSources = { isOff: false, model: '', sources: [] }
/** What cannot be read may have been a switch that was off. */
const UNREADABLE: StoredSources = { ...NONE, isOff: true }

export async function openSourceStore(
  documents: Documents,
  onProblem: (error: unknown) => void,
): Promise<SourceStore> {
  const opened = new Map<string, Document<StoredSources>>()
  const kindOf = <Value>(
    name: string,
    shape: z.ZodType<Value>,
    empty: Value,
    damaged: Value,
  ): DocumentKind<Value> => ({
    name,
    empty,
    parse: (text) => shape.parse(JSON.parse(text)),
    format: (value) => JSON.stringify(value),
    damaged() {
      onProblem(new Error('The sources of triggers cannot be read. Create them again.'))
      return damaged
    },
  })
  const idOf = (userId: string): string => `${PREFIX}user:${userId}`
  function open(userId: string): Document<StoredSources> {
    const document =
      opened.get(userId) ?? openDocument(documents, kindOf(idOf(userId), StoredSources, NONE, UNREADABLE))
    opened.set(userId, document)
    return document
  }
  await documents.load([INDEX])
  const index = openDocument(documents, kindOf(INDEX, Index, {}, {}))
  await documents.load(Object.keys(index.value).map(idOf))
  const userIds = (): string[] => Object.keys(index.value)

  const find: SourceStore['find'] = (userId, sourceId) =>
    open(userId).value.sources.find(({ id }) => id === sourceId)

  return {
    of: (userId) => open(userId).value,
    users: userIds,
    find,
    findHook(hookId) {
      for (const userId of userIds()) {
        const source = open(userId).value.sources.find((one) => one.hookId === hookId)
        if (source) return { userId, source }
      }
      return undefined
    },
    async change(userId, work) {
      await index.change((users) => (Object.hasOwn(users, userId) ? users : { ...users, [userId]: true }))
      await open(userId).change(work)
    },
    async changeSource(userId, sourceId, work) {
      let changed: StoredSource | undefined
      if (!find(userId, sourceId)) return undefined
      await open(userId).change((before) => {
        changed = undefined
        const sources = before.sources.map((one) => (one.id === sourceId ? (changed = work(one)) : one))
        return sources.every((one, at) => one === before.sources[at]) ? before : { ...before, sources }
      })
      return changed
    },
  }
}
