import type { Failure } from '@capstan/protocol'
import type { ModelAbilities } from '../models/model-client.ts'
import { cutText } from '../text/cut-text.ts'
import { neutralise } from '../text/neutralise.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { MediaLimits } from '../turn/message/media.ts'
import { isImageType, isTextType, MEDIA_LIMITS } from '../turn/message/media.ts'
import type { MediaStore } from '../turn/message/media-store.ts'
import type { UserMessage, UserPart } from '../turn/message/message.ts'

/** A message of a person: text, or text with attachments. */
export type UserInput = string | { readonly text: string; readonly attachments?: readonly Attachment[] }

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
  readonly class: Extract<Failure['class'], 'too_large' | 'unsupported'>
  readonly problem: string
}

/**
 * Turns input into a message: images and files go to the media store, text files become text. Nothing is fetched. For an
 * attachment over a limit, or one the model cannot read, it returns a problem and stores nothing.
 */
export function prepareUserMessage(
  input: UserInput,
  abilities: ModelAbilities,
  media: MediaStore,
  limits: MediaLimits = MEDIA_LIMITS,
): UserMessage | MediaProblem {
  if (typeof input === 'string') return { role: 'user', parts: [{ type: 'text', text: input }] }
  const attachments = input.attachments ?? []
  const problem = firstProblem(attachments, abilities, limits)
  if (problem) return problem
  const parts: UserPart[] = [{ type: 'text', text: input.text }]
  for (const attachment of attachments) parts.push(toPart(attachment, media, limits))
  return { role: 'user', parts }
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
    if (!abilities.images) return unsupported('this model cannot look at images')
  }
  for (const file of files) {
    if (file.bytes.length > limits.maxFileBytes) {
      return tooLarge(`${nameOf(file)} is larger than ${limits.maxFileBytes / MB} MB`)
    }
    if (!isText(file) && !abilities.files.includes(file.mediaType)) {
      return unsupported(`this model cannot read files of type ${file.mediaType}`)
    }
  }
  return undefined
}

function toPart(attachment: Attachment, media: MediaStore, limits: MediaLimits): UserPart {
  if (isText(attachment)) {
    const text = new TextDecoder().decode(attachment.bytes)
    const shown = cutText(text, limits.maxFileChars)
    const left = text.length - shown.length
    const note = left > 0 ? `\n[${left} more characters were left out]` : ''
    return { type: 'text', text: `\n\n[File ${nameOf(attachment)}]\n${neutralise(shown)}${note}` }
  }
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
const tooLarge = (problem: string): MediaProblem => ({ class: 'too_large', problem })
const unsupported = (problem: string): MediaProblem => ({ class: 'unsupported', problem })

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
