/** A kind of file whose text can be read here. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'pptx'

const OFFICE = 'application/vnd.openxmlformats-officedocument.'

const KINDS: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  [`${OFFICE}wordprocessingml.document`]: 'docx',
  [`${OFFICE}spreadsheetml.sheet`]: 'xlsx',
  [`${OFFICE}presentationml.presentation`]: 'pptx',
}

/** Types that say nothing: only then does the name count. */
const VAGUE = new Set(['', 'application/octet-stream', 'application/zip', 'binary/octet-stream'])

/** The kind of a file, by its media type, or by its name when the type says nothing. Pure. */
export function documentKind(mediaType: string, name = ''): DocumentKind | undefined {
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase()
  if (!VAGUE.has(type)) return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  const ending = /\.(pdf|docx|xlsx|pptx)$/i.exec(name)?.[1]
  return ending === undefined ? undefined : (ending.toLowerCase() as DocumentKind)
}
