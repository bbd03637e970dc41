import type { AttachmentPost, MessagePost, MessageReceipt } from '@capstan/protocol'
import { z } from 'zod'
import { anyId, runId } from './common.ts'
import { describes } from './describes.ts'

export const MAX_TEXT_BYTES = 256 * 1024

/** One file of the size that a model may get. */
export const MAX_ATTACHMENTS_BYTES = 16 * 1024 * 1024

const MAX_ATTACHMENTS = 8

const attachmentPost = describes<AttachmentPost>()(
  z.strictObject({
    name: z.string().min(1).max(255),
    mediaType: z
      .string()
      .max(127)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, 'must be a media type such as image/png'),
    data: z.base64(),
  }),
)

/** Not every store can hold NUL or half a character, and two such ids would become the same one. */
const storableId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => id.isWellFormed() && !id.includes('\0'), 'must be text without NUL')

export const messagePost = describes<MessagePost>()(
  z
    .strictObject({
      text: z.string().refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, 'must be at most 256 KB'),
      messageId: storableId,
      mode: z.enum(['send', 'steer', 'follow-up', 'interrupt', 'queue']).optional(),
      attachments: z
        .array(attachmentPost)
        .max(MAX_ATTACHMENTS)
        .refine((all) => sizeOf(all) <= MAX_ATTACHMENTS_BYTES, 'must be at most 16 MB together')
        .optional(),
      seenSeq: z.int().min(0).optional(),
    })
    .refine(({ text, attachments = [] }) => text.trim() !== '' || attachments.length > 0, {
      message: 'must not be blank',
      path: ['text'],
    }),
).meta({ id: 'MessagePost' })

const sizeOf = (attachments: readonly AttachmentPost[]): number =>
  attachments.reduce((sum, { data }) => sum + (data.length * 3) / 4, 0)

export const messageReceipt = describes<MessageReceipt>()(
  z.strictObject({
    messageId: anyId.optional(),
    runId: runId.optional(),
    answered: z.strictObject({ approvalId: z.string(), decision: z.enum(['allow-once', 'deny']) }).optional(),
  }),
)
