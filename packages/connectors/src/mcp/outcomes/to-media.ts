import type { ToolMedia } from '@capstan/harness'
import { sanitizeLine } from '@capstan/harness/connectors'
import type { ContentBlock } from '@modelcontextprotocol/client'
import { base64Bytes } from './describe-block.ts'

/** What one answer may carry. The rest of it is only described. */
export interface MediaLimits {
  readonly maxCount: number
  readonly maxTotalBytes: number
}

export const MEDIA_LIMITS: MediaLimits = { maxCount: 8, maxTotalBytes: 16 * 1024 * 1024 }

const MEDIA_TYPE = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*(?:;|$)/i
const UNKNOWN_TYPE = 'application/octet-stream'
const MAX_NAME_CHARS = 120

/** The images, recordings and files of an answer, in their order, up to the limits. Pure. */
export function toMedia(
  content: readonly ContentBlock[],
  { maxCount, maxTotalBytes }: MediaLimits = MEDIA_LIMITS,
): ReadonlyMap<ContentBlock, ToolMedia> {
  const media = new Map<ContentBlock, ToolMedia>()
  let totalBytes = 0
  for (const block of content) {
    const encoded = encodedIn(block)
    if (!encoded || media.size >= maxCount) continue
    // Measured before it is decoded: what is too large is never copied.
    const size = base64Bytes(encoded.base64)
    if (size === 0 || totalBytes + size > maxTotalBytes) continue
    totalBytes += size
    const { base64, mediaType, name } = encoded
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    media.set(block, { mediaType, bytes, ...(name === '' ? undefined : { name }) })
  }
  return media
}

/** Whether a block has bytes, and not only words. Pure. */
export const hasBytes = (block: ContentBlock): boolean => encodedIn(block) !== undefined

interface Encoded {
  readonly base64: string
  readonly mediaType: string
  readonly name: string
}

function encodedIn(block: ContentBlock): Encoded | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    return { base64: block.data, mediaType: toMediaType(block.mimeType), name: '' }
  }
  if (block.type !== 'resource' || 'text' in block.resource) return undefined
  const { uri, mimeType, blob } = block.resource
  return { base64: blob, mediaType: toMediaType(mimeType), name: toName(uri) }
}

// A type that is none would be sent on to a provider.
const toMediaType = (mimeType: string | undefined): string =>
  mimeType !== undefined && MEDIA_TYPE.test(mimeType) ? mimeType.split(';')[0]!.toLowerCase() : UNKNOWN_TYPE

/** The last part of the address, as a file name. */
function toName(uri: string): string {
  const path = uri.split(/[?#]/)[0]!
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return sanitizeLine(decodeURIComponent(last), MAX_NAME_CHARS)
  } catch {
    return sanitizeLine(last, MAX_NAME_CHARS)
  }
}
