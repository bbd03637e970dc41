import type { UserInput } from '@capstan/harness'
import type { AttachmentPost, MessagePost } from '@capstan/protocol'

/** A message in the form of the harness. */
export function toInput({ text, attachments = [] }: MessagePost): UserInput {
  return attachments.length === 0 ? text : { text, attachments: attachments.map(toAttachment) }
}

const toAttachment = ({ name, mediaType, data }: AttachmentPost) => ({
  name,
  mediaType,
  bytes: new Uint8Array(Buffer.from(data, 'base64')),
})
