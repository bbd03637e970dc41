import { toJsonl, toMarkdown } from '@capstan/harness/ledger'
import { scrubLongText } from '@capstan/harness/stages'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { toFile, toMedia } from '../payload/to-file.ts'
import { ownThread } from '../queries/own-thread.ts'
import { defineRoute, raw } from '../route.ts'
import { anyId, threadId } from '../schemas/common.ts'

const SLICE_BYTES = 256 * 1024

const exportThread = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId/export',
  rights: 'user',
  summary: 'A thread as a Markdown or JSONL file.',
  params: { threadId },
  query: { format: z.enum(['markdown', 'jsonl']).default('markdown') },
  answer: raw('text/markdown'),
  async handle(call) {
    const thread = await ownThread(call, call.params.threadId)
    const records = await call.assistant.store.ledger.read(thread.id)
    return call.query.format === 'jsonl'
      ? toFile(
          scrubLongText(toJsonl(thread, records)),
          'application/jsonl; charset=utf-8',
          `${thread.id}.jsonl`,
        )
      : toFile(scrubLongText(toMarkdown(thread, records)), 'text/markdown; charset=utf-8', `${thread.id}.md`)
  },
})

const readArtifact = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId/artifacts/:artifactId',
  rights: 'user',
  summary: 'A part of a large result. `x-next-offset` is the start of the next part.',
  params: { threadId, artifactId: anyId },
  query: { offset: z.coerce.number().int().min(0).default(0) },
  answer: raw('text/plain'),
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    const range = { offset: call.query.offset, maxBytes: SLICE_BYTES }
    const slice = await call.assistant.store.artifacts.read(id, call.params.artifactId, range)
    if (!slice) throw notFound()
    const next = slice.nextOffset === undefined ? undefined : { 'x-next-offset': String(slice.nextOffset) }
    return new Response(slice.text, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-total-bytes': String(slice.bytes), ...next },
    })
  },
})

const readMedia = defineRoute({
  method: 'GET',
  path: '/api/threads/:threadId/media/:ref',
  rights: 'user',
  summary: 'The bytes of an attachment.',
  params: { threadId, ref: anyId },
  answer: raw('application/octet-stream'),
  async handle(call) {
    const { id } = await ownThread(call, call.params.threadId)
    const bytes = await call.assistant.store.ledger.readMedia(id, call.params.ref)
    if (!bytes) throw notFound()
    return toMedia(new Uint8Array(bytes))
  },
})

export const THREAD_FILE_ROUTES = [exportThread, readArtifact, readMedia]
