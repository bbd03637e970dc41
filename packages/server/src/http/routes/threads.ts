import type { ThreadRow } from '@capstan/protocol'
import { z } from 'zod'
import { allThreads } from '../queries/all-threads.ts'
import { notFound } from '../api-error.ts'
import { ownSummary, ownThread } from '../queries/own-thread.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId, queueMode, runId, threadId } from '../schemas/common.ts'
import { MAX_ATTACHMENTS_BYTES, MAX_TEXT_BYTES, messagePost, messageReceipt } from '../schemas/messages.ts'
import { threadDetail, threadPage, threadSearchHit, threadSummary } from '../schemas/threads.ts'

const params = { threadId }
const title = z.string().trim().min(1).max(300)
const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual)
const time = z.coerce.number().int().min(0)

const listThreads = defineRoute({
  method: 'GET',
  path: '/api/threads',
  rights: 'user',
  summary: 'Threads, newest first.',
  query: {
    archived: z.enum(['true', 'false']).optional(),
    before: time.optional(),
    limit: limit(200, 50),
  },
  answer: threadPage,
  async handle({ threads, assistant, caller, query: { archived, before, limit: most } }) {
    const rows: ThreadRow[] = []
    let next: number | undefined
    const start = before === undefined ? {} : { before }
    for await (const row of allThreads((query) => threads.list(query), archived === 'true', start)) {
      const last = rows[rows.length - 1]
      // A page never ends between threads with the same time: the next page begins before that time.
      if (rows.length >= most && last && last.updatedAt !== row.updatedAt) {
        next = last.updatedAt
        break
      }
      rows.push(row)
    }
    const summaries = await Promise.all(rows.map(({ id }) => assistant.summarise(caller.userId, id)))
    return {
      threads: summaries.filter((summary) => summary !== undefined),
      ...(next === undefined ? undefined : { next }),
    }
  },
})

const createThread = defineRoute({
  method: 'POST',
  path: '/api/threads',
  rights: 'user',
  summary: 'Creates a thread.',
  body: z.strictObject({ title: title.optional() }),
  example: { title: 'Plans' },
  cost: 'thread',
  answer: threadSummary,
  async handle(call) {
    const { id } = await call.threads.create(call.body)
    return ownSummary(call, id)
  },
})

const searchThreads = defineRoute({
  method: 'GET',
  path: '/api/threads/search',
  rights: 'user',
  summary: 'Threads that contain all these words.',
  query: { q: z.string().min(1).max(200), limit: limit(100, 20) },
  answer: z.strictObject({ hits: z.array(threadSearchHit) }),
  handle: async ({ threads, query }) => ({ hits: [...(await threads.search(query.q, query.limit))] }),
})

const getThread = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId',
  rights: 'user',
  summary: 'A thread and the sequence number of its newest event.',
  params,
  answer: threadDetail,
  async handle(call) {
    const thread = await ownSummary(call, call.params.threadId)
    return { thread, lastSeq: await call.assistant.store.ledger.lastSeq(thread.id) }
  },
})

const changeThread = defineRoute({
  method: 'PATCH',
  path: '/api/threads/:threadId',
  rights: 'user',
  summary: 'Renames or archives a thread, or sets its queue mode. `null`: the default of the settings.',
  params,
  body: z.strictObject({
    title: title.optional(),
    archived: z.boolean().optional(),
    queueMode: queueMode.nullable().optional(),
  }),
  example: { title: 'Better plans' },
  answer: threadSummary,
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    if (call.body.title !== undefined) await call.threads.rename(id, call.body.title)
    if (call.body.archived !== undefined) await call.threads.archive(id, call.body.archived)
    if (call.body.queueMode !== undefined)
      await call.threads.setQueueMode(id, call.body.queueMode ?? undefined)
    return ownSummary(call, id)
  },
})

const deleteThread = defineRoute({
  method: 'DELETE',
  path: '/api/threads/:threadId',
  rights: 'user',
  summary: 'Deletes a thread with everything in it. A running turn is stopped first.',
  params,
  answer: NOTHING,
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    if (!(await call.actions.remove(id))) throw notFound()
  },
})

const sendMessage = defineRoute({
  method: 'POST',
  path: '/api/threads/:threadId/messages',
  rights: 'user',
  summary:
    'Sends a message. Answered once it is stored. The same messageId is one message, however often it is sent. ' +
    'A message that is only a yes or a no answers the one open question.',
  params,
  body: messagePost,
  example: { text: 'Hello', messageId: 'message_1' },
  answer: messageReceipt,
  status: 202,
  cost: 'message',
  // Base64 is a third longer, text may be escaped, and names take a little.
  maxBodyBytes: Math.ceil((MAX_ATTACHMENTS_BYTES * 4) / 3) + 2 * MAX_TEXT_BYTES + 64 * 1024,
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    return call.actions.message(id, call.body)
  },
})

const stopTurn = defineRoute({
  method: 'POST',
  path: '/api/threads/:threadId/stop',
  rights: 'user',
  summary: 'Stops the running or parked turn; with a runId, only that run.',
  params,
  body: z.strictObject({ runId: runId.optional() }),
  example: {},
  answer: NOTHING,
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    await call.actions.stop(id, call.body.runId)
  },
})

const continueTurn = defineRoute({
  method: 'POST',
  path: '/api/threads/:threadId/continue',
  rights: 'user',
  summary: 'Continues after a turn that ended at a cap.',
  params,
  body: z.strictObject({ resumeToken: anyId }),
  example: { resumeToken: 'resume_1' },
  answer: messageReceipt,
  status: 202,
  cost: 'message',
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    return call.actions.continue(id, call.body.resumeToken)
  },
})

export const THREAD_ROUTES = [
  listThreads,
  createThread,
  searchThreads,
  getThread,
  changeThread,
  deleteThread,
  sendMessage,
  stopTurn,
  continueTurn,
]
