import type { AttachmentPost, ModelReads } from '@capstan/protocol'
import { isImageType, isTextType } from '@capstan/protocol'

/** A file that is sent with a message. */
export interface Attachment extends AttachmentPost {
  readonly id: string
  readonly bytes: number
}

/** Why a file was left out. */
export type AttachProblem =
  | { readonly type: 'too-large' | 'together'; readonly name: string; readonly limit: number }
  | { readonly type: 'too-many-images' | 'too-many-files'; readonly name: string; readonly count: number }
  | { readonly type: 'empty' | 'unreadable' | 'no-images' | 'unsupported'; readonly name: string }

const MB = 1024 * 1024

/** The limits of the server. */
export const ATTACH_LIMITS = {
  maxImages: 4,
  maxImageBytes: 8 * MB,
  maxFiles: 4,
  maxFileBytes: 16 * MB,
  maxBytes: 16 * MB,
}

interface AttachOptions {
  /** What the model in use reads. Absent: not known yet, and the server decides. */
  readonly reads?: ModelReads | undefined
  readonly newId?: () => string
}

/** Reads the files that fit beside the present ones. A file that does not fit is reported; the others are kept. */
export async function attach(
  files: readonly File[],
  present: readonly Attachment[],
  { reads, newId = () => crypto.randomUUID() }: AttachOptions = {},
): Promise<{ readonly added: readonly Attachment[]; readonly problems: readonly AttachProblem[] }> {
  const added: Attachment[] = []
  const problems: AttachProblem[] = []
  for (const file of files) {
    const problem = problemOf(file, [...present, ...added])
    if (problem) {
      problems.push(problem)
      continue
    }
    try {
      const buffer = await file.arrayBuffer()
      const mediaType = readableType(typeOf(file), buffer, reads)
      if (mediaType === undefined)
        problems.push({ type: isImageType(typeOf(file)) ? 'no-images' : 'unsupported', name: file.name })
      else
        added.push({
          id: newId(),
          name: file.name.slice(0, 255) || 'file',
          mediaType,
          bytes: file.size,
          data: toBase64(buffer),
        })
    } catch {
      problems.push({ type: 'unreadable', name: file.name })
    }
  }
  return { added, problems }
}

/** The media type under which the model gets a file. Undefined: it cannot read it. */
function readableType(type: string, buffer: ArrayBuffer, reads: ModelReads | undefined): string | undefined {
  if (!reads || isTextType(type)) return type
  if (isImageType(type)) return reads.images ? type : undefined
  if (reads.files.includes(type)) return type
  // Browsers do not know many kinds of text file by name.
  return isText(buffer) ? 'text/plain' : undefined
}

function isText(buffer: ArrayBuffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(buffer).includes('\0')
  } catch {
    return false
  }
}

function problemOf(file: File, present: readonly Attachment[]): AttachProblem | undefined {
  const { name, size } = file
  const { maxImages, maxImageBytes, maxFiles, maxFileBytes, maxBytes } = ATTACH_LIMITS
  if (size === 0) return { type: 'empty', name }
  const sum = present.reduce((bytes, other) => bytes + other.bytes, size)
  if (sum > maxBytes && size <= maxBytes) return { type: 'together', name, limit: maxBytes }
  if (isImage(typeOf(file))) {
    if (size > maxImageBytes) return { type: 'too-large', name, limit: maxImageBytes }
    const images = present.filter(({ mediaType }) => isImage(mediaType))
    return images.length >= maxImages ? { type: 'too-many-images', name, count: maxImages } : undefined
  }
  if (size > maxFileBytes) return { type: 'too-large', name, limit: maxFileBytes }
  const others = present.filter(({ mediaType }) => !isImage(mediaType))
  return others.length >= maxFiles ? { type: 'too-many-files', name, count: maxFiles } : undefined
}

export const isImage = (mediaType: string): boolean => /^image\/(?!svg)/.test(mediaType)

/** The media type without the parameters that some browsers add. */
const typeOf = ({ type }: File): string => type.split(';')[0]?.trim() || 'application/octet-stream'

/** Encodes in slices: a whole file would be too many arguments for one call. */
export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer)
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
