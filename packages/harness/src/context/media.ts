import type { AttachmentProblem, Failure } from '@capstan/protocol'
import type { ModelAbilities } from '../models/model-client.ts'
import { documentKind } from '../documents/document-kind.ts'
import type { DocumentKind } from '../documents/document-kind.ts'
import { readDocument } from '../documents/read-document.ts'
import { cutText } from '../text/cut-text.ts'
import { neutralise } from '../text/neutralise.ts'
import { frameUntrusted } from '../text/untrusted-frame.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { sizeLeft, fileText, NO_TEXT, REST_LEFT } from '../turn/message/file-text.ts'
import type { MediaLimits } from '../turn/message/media.ts'
import { canSee, isImageType, isTextType, MEDIA_LIMITS } from '../turn/message/media.ts'
import type { MediaStore } from '../turn/message/media-store.ts'
import type { UserMessage, UserPart } from '../turn/message/message.ts'

/** A message of a person: text, or text with attachments. */
export type UserInput =
  | string
  | {
      readonly text: string
      readonly attachments?: readonly Attachment[]
      /** What somebody else wrote, as the message is about it. It is framed, and no instruction. */
      readonly untrusted?: UntrustedPart
    }

/** A text of others that comes with a message. */
export interface UntrustedPart {
  /** Who sent it, in a word or two. */
  readonly source: string
  readonly text: string
}

/** An image or file that comes with a message. */
export interface Attachment {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
}

/** The longest name of a file that is shown. */
const MAX_NAME_CHARS = 200

const MB = 1024 * 1024

/** Why an attachment is refused. The engine turns it into a failure. */
export interface MediaProblem {
  readonly class: Extract<Failure['class'], 'too_large' | 'unsupported' | 'invalid_input'>
  readonly kind: AttachmentProblem
  readonly problem: string
}

interface MediaOptions {
  readonly limits?: MediaLimits
  /** Stops the reading of documents. */
  readonly signal?: AbortSignal
}

/**
 * Turns input into a message: images and files go to the media store; text files, and documents that the model does not
 * read itself, become text. Nothing is fetched. For an attachment over a limit, or one that cannot be read, it returns a
 * problem and stores nothing. Rejects only with the reason of the signal.
 */
export async function prepareUserMessage(
  input: UserInput,
  abilities: ModelAbilities,
  media: MediaStore,
  { limits = MEDIA_LIMITS, signal = NEVER }: MediaOptions = {},
): Promise<UserMessage | MediaProblem> {
  if (typeof input === 'string') return { role: 'user', parts: [{ type: 'text', text: input }] }
  const attachments = input.attachments ?? []
  const problem = firstProblem(attachments, abilities, limits)
  if (problem) return problem
  const texts = new Map<Attachment, string>()
  for (const attachment of attachments) {
    const text = await readText(attachment, abilities, limits, signal)
    if (typeof text === 'object') return text
    if (text !== undefined) texts.set(attachment, text)
  }
  const parts: UserPart[] = [{ type: 'text', text: input.text }]
  for (const attachment of attachments) {
    const text = texts.get(attachment)
    parts.push(text === undefined ? toPart(attachment, media) : { type: 'text', text })
  }
  // After the attachments, which are found by their place.
  if (input.untrusted) parts.push({ type: 'text', text: frameOther(input.untrusted, limits) })
  return { role: 'user', parts }
}

const NEVER = new AbortController().signal

function frameOther({ source, text }: UntrustedPart, { maxFileChars }: MediaLimits): string {
  const shown = cutText(text, maxFileChars)
  const lead = `\n\n[From ${sanitizeLine(source, MAX_NAME_CHARS)}]\n`
  const left = sizeLeft(text, shown)
  const framed = frameUntrusted(lead + shown, 'app', { start: lead.length, end: 0 })
  return left === undefined ? framed : `${framed}\n[${left}]`
}

function firstProblem(
  attachments: readonly Attachment[],
  abilities: ModelAbilities,
  limits: MediaLimits,
): MediaProblem | undefined {
  const images = attachments.filter(isImage)
  const files = attachments.filter((attachment) => !isImage(attachment))
  if (images.length > limits.maxImages) return tooLarge(`more than ${limits.maxImages} images in one message`)
  if (files.length > limits.maxFiles) return tooLarge(`more than ${limits.maxFiles} files in one message`)
  for (const image of images) {
    if (image.bytes.length > limits.maxImageBytes) {
      return tooLarge(`${nameOf(image)} is larger than ${limits.maxImageBytes / MB} MB`)
    }
    if (!abilities.images) return unsupported('images-unsupported', 'this model cannot look at images')
  }
  for (const file of files) {
    if (file.bytes.length > limits.maxFileBytes) {
      return tooLarge(`${nameOf(file)} is larger than ${limits.maxFileBytes / MB} MB`)
    }
    if (!isText(file) && !canSee(abilities, file.mediaType) && !kindOf(file)) {
      return unsupported('files-unsupported', `this model cannot read files of type ${file.mediaType}`)
    }
  }
  return undefined
}

/** The text of a file that the model gets as text; undefined for one it gets as it is. */
async function readText(
  attachment: Attachment,
  abilities: ModelAbilities,
  { maxFileChars, maxReadMs }: MediaLimits,
  signal: AbortSignal,
): Promise<string | MediaProblem | undefined> {
  if (isText(attachment)) {
    const text = new TextDecoder().decode(attachment.bytes)
    const shown = cutText(text, maxFileChars)
    return fileText(nameOf(attachment), neutralise(shown), sizeLeft(text, shown))
  }
  const kind = kindOf(attachment)
  if (!kind || canSee(abilities, attachment.mediaType)) return undefined
  const { bytes } = attachment
  const read = await readDocument({ kind, bytes, maxChars: maxFileChars, maxMs: maxReadMs }, signal)
  if ('problem' in read) {
    const problem = `${nameOf(attachment)} ${read.problem}`
    return read.class === 'too_large'
      ? tooLarge(problem)
      : { ...read, kind: 'attachment-unreadable', problem }
  }
  // A document may hold text that nobody who looks at it can see.
  const shown = read.text === '' ? NO_TEXT : frameUntrusted(read.text, 'file')
  return fileText(nameOf(attachment), shown, read.isCut ? REST_LEFT : undefined)
}

function toPart(attachment: Attachment, media: MediaStore): UserPart {
  return {
    type: isImage(attachment) ? 'image' : 'file',
    ref: media.put(attachment.bytes),
    mediaType: attachment.mediaType,
    bytes: attachment.bytes.length,
    ...(attachment.name === undefined ? {} : { name: nameOf(attachment) }),
  }
}

const isImage = ({ mediaType }: Attachment): boolean => isImageType(mediaType)
const isText = ({ mediaType }: Attachment): boolean => isTextType(mediaType)
const nameOf = ({ name, mediaType }: Attachment): string =>
  name === undefined ? `the ${mediaType} attachment` : sanitizeLine(name, MAX_NAME_CHARS)
const kindOf = ({ mediaType, name }: Attachment): DocumentKind | undefined => documentKind(mediaType, name)
const tooLarge = (problem: string): MediaProblem => ({
  class: 'too_large',
  kind: 'attachment-too-large',
  problem,
})
const unsupported = (kind: AttachmentProblem, problem: string): MediaProblem => ({
  class: 'unsupported',
  kind,
  problem,
})

/** A media store in memory. */
export function createMediaStore(): MediaStore {
  const media = new Map<string, Uint8Array>()
  return {
    get: (ref) => media.get(ref),
    put(bytes) {
      const ref = `media_${media.size + 1}`
      media.set(ref, bytes)
      return ref
    },
  }
}
