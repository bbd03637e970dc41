import type {
  ForgottenApp,
  MarkedText,
  MemoryFact,
  MemoryHitRow,
  MemoryItemPost,
  MemoryItemRow,
  MemorySourceRow,
} from '@capstan/protocol'
import { MAX_FACT_CHARS } from '@capstan/protocol'
import { z } from 'zod'
import { count, milliseconds, runId, threadId } from './common.ts'
import { describes } from './describes.ts'

const MAX_NAME_CHARS = 500

/** The id of an item, or the name of an app or an account, as apps and imports give them. */
export const memoryName = z.string().min(1).max(MAX_NAME_CHARS)

export const factText = z
  .string()
  .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1).max(MAX_FACT_CHARS))

const ITEM = {
  id: z.string(),
  app: z.string(),
  account: z.string().optional(),
  at: milliseconds,
  title: z.string(),
  text: z.string(),
  link: z.string().optional(),
  people: z.array(z.string()),
}

export const memoryItem = describes<MemoryItemRow>()(z.strictObject({ ...ITEM, seenAt: milliseconds })).meta({
  id: 'MemoryItemRow',
})

const markedText = z.array(
  describes<MarkedText>()(z.strictObject({ text: z.string(), isMatch: z.boolean() })).meta({
    id: 'MarkedText',
  }),
)

export const memoryHit = describes<MemoryHitRow>()(
  z.strictObject({
    item: memoryItem,
    score: z.number(),
    isWeak: z.boolean(),
    title: markedText,
    excerpt: markedText,
  }),
)

export const memorySource = describes<MemorySourceRow>()(
  z.strictObject({ app: z.string(), account: z.string().optional(), count }),
)

export const forgottenApp = describes<ForgottenApp>()(
  z.strictObject({ forgotten: count, stillSynced: z.array(z.string()).optional() }),
)

export const memoryFact = describes<MemoryFact>()(
  z.strictObject({
    id: z.string(),
    text: z.string(),
    status: z.enum(['proposed', 'accepted', 'rejected']),
    origin: z.strictObject({
      threadId: threadId.optional(),
      runId: runId.optional(),
      app: z.string().optional(),
      link: z.string().optional(),
      isUntrusted: z.literal(true).optional(),
    }),
    createdAt: milliseconds,
    changedAt: milliseconds,
  }),
).meta({ id: 'MemoryFact' })

const time = z.number().min(-8_640_000_000_000_000).max(8_640_000_000_000_000)
const line = memoryName.refine((text) => text.trim() !== '' && !/\p{Cc}/u.test(text) && text.isWellFormed(), {
  error: 'must be one line',
})

/** An item that a program adds. */
export const memoryItemPost = describes<MemoryItemPost>()(
  z.strictObject({
    id: line,
    app: line,
    account: z.string().max(MAX_NAME_CHARS).optional(),
    externalId: z.string().max(MAX_NAME_CHARS),
    version: z.string().max(MAX_NAME_CHARS).optional(),
    at: time,
    title: z.string().max(10_000),
    text: z.string().max(2_000_000),
    link: z.string().max(10_000).optional(),
    people: z.array(z.string().max(MAX_NAME_CHARS)).max(1_000),
    seenAt: time.optional(),
  }),
).meta({ id: 'MemoryItemPost' })
