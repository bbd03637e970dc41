/** How the words of an answer are to be read. */
export type ContentKind = 'html' | 'text' | 'binary'

const TEXT_TYPES =
  /^(text\/.*|application\/(json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-ndjson|graphql|sql|rtf|x-sh|x-www-form-urlencoded)|.*\+(json|xml|yaml))$/

/** What a declared type stands for; undefined when nothing was declared. Pure. */
export function toContentKind(contentType: string | undefined): ContentKind | undefined {
  const type = mediaTypeOf(contentType)
  if (type === '') return undefined
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  return TEXT_TYPES.test(type) ? 'text' : 'binary'
}

/** What undeclared bytes look like. Pure. */
export function sniffContentKind(bytes: Buffer): ContentKind {
  const beginning = bytes.subarray(0, 1024)
  if (beginning.includes(0)) return 'binary'
  return /^\s*<(!doctype html|html|head|body)\b/i.test(beginning.toString('latin1')) ? 'html' : 'text'
}

/** The media type of a content type header. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Decodes by the declared charset, else by what an HTML page says of itself, else as UTF-8. Never throws. */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const declared = /charset\s*=\s*["']?([\w.:-]{1,40})/i
  const charset =
    declared.exec(contentType ?? '')?.[1] ??
    (toContentKind(contentType) === 'html'
      ? declared.exec(bytes.toString('latin1', 0, 2048))?.[1]
      : undefined) ??
    'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
