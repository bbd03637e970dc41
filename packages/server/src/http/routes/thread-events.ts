import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { ownThread } from '../queries/own-thread.ts'
import { defineRoute, raw } from '../route.ts'
import { threadId } from '../schemas/common.ts'
import { eventPage } from '../schemas/threads.ts'

const params = { threadId }
const seq = z.coerce.number().int().min(0)

const readEvents = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId/events',
  rights: 'user',
  summary: 'Events after a sequence number, in order.',
  params,
  query: { after: seq.default(0), limit: z.coerce.number().int().min(1).max(1000).default(500) },
  answer: eventPage,
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    const { ledger } = call.assistant.store
    const events = await ledger.readEvents(id, call.query.after, call.query.limit)
    return { events: [...events], lastSeq: await ledger.lastSeq(id) }
  },
})

const streamEvents = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId/stream',
  rights: 'user',
  summary: 'Events after a sequence number, then live events. `Last-Event-ID` overrides `after`.',
  params,
  query: { after: seq.optional() },
  answer: raw('text/event-stream'),
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    const shown = call.headers.get('last-event-id')
    const last = shown === null ? undefined : seq.safeParse(shown)
    if (last && !last.success)
      throw new ApiError('invalid', 'last-event-id: must be a number', { field: 'last-event-id' })
    return call.services.streamThread(call.caller, id, last?.data ?? call.query.after ?? 0)
  },
})

export const THREAD_EVENT_ROUTES = [readEvents, streamEvents]
