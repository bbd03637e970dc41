import { sanitizeLine } from '@capstan/harness/connectors'
import type { NotificationRow, ThreadId } from '@capstan/protocol'
import { NOTIFICATION_KINDS } from '@capstan/protocol'
import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Document } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'

/** Tells a user of something, once for each id, however often it is called. The thread may follow later. */
export type Tell = (userId: string, told: NotificationRow) => Promise<void>

/** What users are told that nobody watched, and what of it they have seen. Encrypted wherever it is kept. */
export interface Notifications {
  readonly tell: Tell
  /** What was not seen, newest first. */
  list(userId: string): Promise<readonly NotificationRow[]>
  /** Unknown ids change nothing. */
  see(userId: string, ids: readonly string[]): Promise<void>
  forget(userId: string): Promise<void>
}

const Stored = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(NOTIFICATION_KINDS),
    name: z.string(),
    at: z.number(),
    threadId: z.string().optional(),
    isSeen: z.literal(true).optional(),
  }),
)
type Stored = z.infer<typeof Stored>

/** What was seen is kept as well: it is not told a second time. */
const MOST_KEPT = 200
const MAX_NAME_CHARS = 120

export function createNotifications(parts: {
  readonly documents: Documents
  /** Screens look again. */
  readonly note: (userId: string) => void
  readonly onProblem: (problem: unknown) => void
}): Notifications {
  const { documents, note, onProblem } = parts
  const opened = new Map<string, Document<Stored>>()

  async function open(userId: string): Promise<Document<Stored>> {
    const name = `notifications:${userId}`
    await documents.load([name])
    const known = opened.get(userId)
    if (known) return known
    const document = openDocument<Stored>(documents, {
      name,
      empty: [],
      parse: (text) => Stored.parse((JSON.parse(text) as { readonly told: unknown }).told),
      format: (told) => JSON.stringify({ told }),
      damaged(problem) {
        onProblem(problem)
        return []
      },
    })
    opened.set(userId, document)
    return document
  }

  async function change(userId: string, work: (told: Stored) => Stored): Promise<void> {
    const document = await open(userId)
    const before = document.value
    if ((await document.change(work)) !== before) note(userId)
  }

  return {
    tell: (userId, { name, ...told }) =>
      change(userId, (before) =>
        before.some(({ id }) => id === told.id)
          ? withThread(before, told)
          : [{ ...told, name: sanitizeLine(name, MAX_NAME_CHARS) }, ...before].slice(0, MOST_KEPT),
      ),
    async list(userId) {
      const { value } = await open(userId)
      return value
        .filter(({ isSeen }) => isSeen === undefined)
        .map(({ id, kind, name, at, threadId }) => ({
          id,
          kind,
          name,
          at,
          ...(threadId !== undefined && { threadId: threadId as ThreadId }),
        }))
    },
    async see(userId, ids) {
      const wanted = new Set(ids)
      const isNew = ({ id, isSeen }: Stored[number]): boolean => isSeen === undefined && wanted.has(id)
      await change(userId, (before) =>
        before.some(isNew) ? before.map((one) => (isNew(one) ? { ...one, isSeen: true } : one)) : before,
      )
    },
    forget: (userId) => change(userId, (before) => (before.length === 0 ? before : [])),
  }
}

function withThread(before: Stored, { id, threadId }: Pick<NotificationRow, 'id' | 'threadId'>): Stored {
  const lacks = (one: Stored[number]): boolean => one.id === id && one.threadId === undefined
  return threadId !== undefined && before.some(lacks)
    ? before.map((one) => (lacks(one) ? { ...one, threadId } : one))
    : before
}
