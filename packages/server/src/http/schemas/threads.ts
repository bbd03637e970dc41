import type {
  EventPage,
  ThreadDetail,
  ThreadPage,
  ThreadRow,
  ThreadSearchHit,
  ThreadSummary,
} from '@capstan/protocol'
import { z } from 'zod'
import { count, milliseconds, queueMode, threadId } from './common.ts'
import { describes } from './describes.ts'
import { approvalDecision, turnEvent } from './turn-event.ts'

const threadRowFields = {
  id: threadId,
  userId: z.string(),
  title: z.string(),
  createdAt: milliseconds,
  updatedAt: milliseconds,
  archivedAt: milliseconds.optional(),
  queueMode: queueMode.optional(),
}

const threadRow = describes<ThreadRow>()(z.strictObject(threadRowFields)).meta({ id: 'ThreadRow' })

export const threadSummary = describes<ThreadSummary>()(
  z.strictObject({
    ...threadRowFields,
    activity: z.enum(['running', 'waiting', 'held']).optional(),
    answered: z.record(z.string(), approvalDecision).optional(),
  }),
).meta({ id: 'ThreadSummary' })

export const threadPage = describes<ThreadPage>()(
  z.strictObject({ threads: z.array(threadSummary), next: milliseconds.optional() }),
)

export const threadSearchHit = describes<ThreadSearchHit>()(
  z.strictObject({ thread: threadRow, excerpt: z.string() }),
)

export const threadDetail = describes<ThreadDetail>()(
  z.strictObject({ thread: threadSummary, lastSeq: count }),
)

export const eventPage = describes<EventPage>()(
  z.strictObject({ events: z.array(turnEvent), lastSeq: count }),
)
