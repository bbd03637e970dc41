/** A download. The name is reduced to characters that are safe in a header. */
export function toFile(
  body: ConstructorParameters<typeof Response>[0],
  mediaType: string,
  name: string,
): Response {
  const safe = name.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'download'
  return new Response(body, {
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${safe.slice(0, 100)}"`,
    },
  })
}

const SIGNATURES: readonly (readonly [mediaType: string, test: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])],
  ['image/jpeg', (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => startsWith(bytes, [0x47, 0x49, 0x46, 0x38])],
  ['image/webp', (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && hasAt(bytes, 8, 'WEBP')],
  ['image/avif', (bytes) => hasAt(bytes, 4, 'ftypavif')],
]

/**
 * The bytes of an attachment. Only bytes that are an image are shown; everything else is a download that no browser runs,
 * whatever its declared type.
 */
export function toMedia(bytes: Uint8Array<ArrayBuffer>): Response {
  const mediaType = SIGNATURES.find(([, test]) => test(bytes))?.[0]
  const response = mediaType
    ? new Response(bytes, { headers: { 'content-type': mediaType } })
    : toFile(bytes, 'application/octet-stream', 'attachment')
  response.headers.set('content-security-policy', "default-src 'none'; sandbox")
  response.headers.set('vary', 'cookie') // cached for this login, not for the next one in the same browser
  response.headers.set('cache-control', 'private, max-age=31536000, immutable')
  return response
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)
const hasAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text
