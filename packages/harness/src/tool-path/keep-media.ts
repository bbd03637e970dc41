import { isUint8Array } from 'node:util/types'
import type { DocumentKind } from '../documents/document-kind.ts'
import { documentKind } from '../documents/document-kind.ts'
import { readDocument } from '../documents/read-document.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { cutText } from '../text/cut-text.ts'
import { sizeLeft, fileText, NO_TEXT, REST_LEFT } from '../turn/message/file-text.ts'
import type { MediaLimits } from '../turn/message/media.ts'
import { canSee, isImageType, isTextType, MEDIA_LIMITS } from '../turn/message/media.ts'
import type { MediaPart } from '../turn/message/message.ts'
import { scrubSecrets } from './scrub/scrub-secrets.ts'
import type { ToolPath } from './tool-path.ts'

/** The kept media of one result. */
export interface KeptMedia {
  /** The content of text files and documents. It is part of the output, and shaped like it. */
  readonly text: string
  /** The descriptions of the others, a line each. */
  readonly notes: string
  readonly parts: readonly MediaPart[]
}

/**
 * Puts the media of a result into the thread's store. Documents that the model does not read itself become text. Media
 * that cannot be read, that are too large, too many or invalid are described instead. Never rejects for what a tool
 * returns, only when it cannot be recorded.
 */
export async function keepMedia(media: unknown, path: ToolPath): Promise<KeptMedia> {
  const { mediaLimits: limits = MEDIA_LIMITS, services } = path
  const parts: MediaPart[] = []
  const texts: string[] = []
  const notes: string[] = []
  let counts = { images: 0, files: 0 }
  for (const item of toList(media)) {
    const read = orUndefined(() => readItem(item))
    if (!read) {
      notes.push(UNREADABLE)
      continue
    }
    const form = formOf(read, path)
    const problem = findProblem(read, counts, limits, form !== undefined)
    if (problem !== undefined || !path.run.media) {
      notes.push(notShown(read, problem ?? 'it was not kept'))
      continue
    }
    const bytes = orUndefined(() => decode(read))
    if (bytes?.length !== read.bytes) {
      notes.push(UNREADABLE)
      continue
    }
    const isImage = isImageType(read.mediaType)
    counts = { images: counts.images + (isImage ? 1 : 0), files: counts.files + (isImage ? 0 : 1) }
    if (form === 'media') parts.push(toPart(read, bytes, path.run.media.put(bytes)))
    else if (form === 'text') texts.push(toText(read, bytes, limits))
    else {
      const document = await readText(read, bytes, form!, limits, path.run.signal)
      if ('text' in document) texts.push(document.text)
      else notes.push(notShown(read, `it ${document.problem}`))
    }
  }
  return {
    text: texts.join(''),
    notes: scrubSecrets(notes.map((note) => `\n[${note}]`).join(''), services.secrets),
    parts,
  }
}

interface Item {
  readonly mediaType: string
  readonly name: string | undefined
  readonly content: Uint8Array | string
  readonly bytes: number
}

const BLIND = { images: false, files: [] }
const BLIND_TO_IMAGES = 'this model cannot look at images; the user can choose a model that can'
const BLIND_TO_FILES = 'this model cannot read such files; the user can choose a model that can'
const UNREADABLE = 'An attachment of this result could not be read.'
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The items up to the first that throws, which ends the list as one that cannot be read. What is no list has none. */
function toList(media: unknown): readonly unknown[] {
  const items: unknown[] = []
  try {
    if (Array.isArray(media)) for (const item of media) items.push(item)
  } catch {
    items.push(undefined)
  }
  return items
}

/** A getter or a proxy of a tool may throw anywhere. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function readItem(item: unknown): Item | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const { mediaType, name, bytes, data } = item as Readonly<Record<string, unknown>>
  if (typeof mediaType !== 'string' || mediaType === '') return undefined
  const about = {
    mediaType: sanitizeLine(mediaType, 100).toLowerCase(),
    name: typeof name === 'string' && name !== '' ? sanitizeLine(name, 200) : undefined,
  }
  if (isUint8Array(bytes)) return { ...about, content: bytes, bytes: bytes.length }
  if (typeof data !== 'string' || !BASE64.test(data)) return undefined
  return { ...about, content: data, bytes: Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4) }
}

/** How the model gets an item: as it is, as the text it is, or as the text in it. Undefined: not at all. */
function formOf({ mediaType, name }: Item, path: ToolPath): 'media' | 'text' | DocumentKind | undefined {
  if (isTextType(mediaType)) return 'text'
  return canSee(path.sees ?? BLIND, mediaType) ? 'media' : documentKind(mediaType, name)
}

async function readText(
  { name, mediaType }: Item,
  bytes: Uint8Array,
  kind: DocumentKind,
  { maxFileChars, maxReadMs }: MediaLimits,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const read = await readDocument({ kind, bytes, maxChars: maxFileChars, maxMs: maxReadMs }, signal)
    if ('problem' in read) return read
    const left = read.isCut ? REST_LEFT : undefined
    return { text: fileText(name ?? mediaType, read.text === '' ? NO_TEXT : read.text, left) }
  } catch {
    return { problem: 'was not read, because the turn was stopped' }
  }
}

const notShown = (item: Item, why: string): string =>
  `${nameOf(item)} is part of this result and cannot be shown: ${why}.`

function findProblem(
  { mediaType, bytes }: Item,
  counts: { readonly images: number; readonly files: number },
  limits: MediaLimits,
  canBeSeen: boolean,
): string | undefined {
  const isImage = isImageType(mediaType)
  const maxBytes = isImage ? limits.maxImageBytes : limits.maxFileBytes
  const max = isImage ? limits.maxImages : limits.maxFiles
  if (!canBeSeen) return isImage ? BLIND_TO_IMAGES : BLIND_TO_FILES
  if (bytes > maxBytes) return `it has ${bytes} bytes, and ${maxBytes} are the most`
  if ((isImage ? counts.images : counts.files) >= max)
    return `only the first ${max} ${isImage ? 'images' : 'files'} of a result are`
  return undefined
}

/** A copy: the tool may reuse its bytes. */
const decode = ({ content }: Item): Uint8Array =>
  typeof content === 'string' ? new Uint8Array(Buffer.from(content, 'base64')) : new Uint8Array(content)

const nameOf = ({ mediaType, name }: Item): string => {
  const what = isImageType(mediaType) ? 'The image' : 'The file'
  return name === undefined ? `${what} of type ${mediaType}` : `${what} ${name} (${mediaType})`
}

function toText({ name, mediaType }: Item, bytes: Uint8Array, { maxFileChars }: MediaLimits): string {
  const text = new TextDecoder().decode(bytes)
  const shown = cutText(text, maxFileChars)
  return fileText(name ?? mediaType, shown, sizeLeft(text, shown))
}

const toPart = ({ mediaType, name }: Item, { length }: Uint8Array, ref: string): MediaPart => ({
  type: isImageType(mediaType) ? 'image' : 'file',
  ref,
  mediaType,
  bytes: length,
  ...(name === undefined ? undefined : { name }),
})
