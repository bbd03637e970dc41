import { isImageType } from '@capstan/protocol'

export { isImageType, isTextType } from '@capstan/protocol'

/** How much media one message, or one tool result, may carry. */
export interface MediaLimits {
  readonly maxImages: number
  readonly maxImageBytes: number
  readonly maxFiles: number
  readonly maxFileBytes: number
  /** Characters of a text file, or of the text in a document, that reach the model. */
  readonly maxFileChars: number
  /** How long the reading of the text in a document may take. */
  readonly maxReadMs: number
}

const MB = 1024 * 1024

/** The default limits. */
export const MEDIA_LIMITS: MediaLimits = {
  maxImages: 4,
  maxImageBytes: 8 * MB,
  maxFiles: 4,
  maxFileBytes: 16 * MB,
  maxFileChars: 50_000,
  maxReadMs: 60_000,
}

/** Which media a model can read. */
export interface Sight {
  readonly images: boolean
  /** Media types of files it reads by itself, such as `application/pdf`. */
  readonly files: readonly string[]
}

/** Whether a model can read this media type. */
export const canSee = ({ images, files }: Sight, mediaType: string): boolean =>
  isImageType(mediaType) ? images : files.includes(mediaType)

/** The text that replaces media a model cannot read. */
export function describeUnseen(mediaType: string, name?: string): string {
  const what = isImageType(mediaType) ? 'An image' : 'A file'
  const named = name === undefined ? mediaType : `${name}, ${mediaType}`
  return `[${what} (${named}) is here that this model cannot look at; the user can choose a model that can]`
}
