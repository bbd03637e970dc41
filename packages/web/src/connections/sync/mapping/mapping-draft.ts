import type { SyncMapping } from '@capstan/protocol'

/** The fields of a mapping that are texts in the form, as the server names them. */
const MAPPING_FIELDS = [
  'list.action',
  'list.items',
  'read.action',
  'read.id',
  'read.item',
  'fields.id',
  'fields.title',
  'fields.text',
  'fields.at',
  'fields.version',
  'fields.link',
  'fields.people',
  'list.args',
  'list.cursor',
  'list.next',
  'list.pages',
  'list.mostPages',
  'list.total',
] as const

export type MappingField = (typeof MAPPING_FIELDS)[number]

/** The content of the form. An empty text is left out. */
export type MappingDraft = Readonly<Record<MappingField, string>> & { readonly isNewestFirst: boolean }

export type MappingProblem =
  | 'empty'
  | 'not-an-object'
  | 'not-a-count'
  | 'no-next'
  | 'two-next'
  | 'no-cursor'
  | 'no-text'

export type MappingProblems = Readonly<Partial<Record<MappingField, MappingProblem>>>

const EMPTY = Object.fromEntries(MAPPING_FIELDS.map((field) => [field, ''])) as Record<MappingField, string>

/** Without a mapping: an empty form. */
export function toMappingDraft(mapping?: SyncMapping): MappingDraft {
  if (!mapping) return { ...EMPTY, isNewestFirst: false }
  const filled = MAPPING_FIELDS.map((field) => {
    const [part, name] = field.split('.') as ['list' | 'read' | 'fields', string]
    const value = (mapping[part] as Readonly<Record<string, unknown>> | undefined)?.[name]
    return [field, toText(value)] as const
  })
  return {
    ...(Object.fromEntries(filled) as Record<MappingField, string>),
    isNewestFirst: mapping.list.isNewestFirst ?? false,
  }
}

const toText = (value: unknown): string => {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The mapping of a form, or what is wrong with its fields. The server checks it again. Pure. */
export function readMappingDraft(
  draft: MappingDraft,
): { readonly mapping: SyncMapping } | { readonly problems: MappingProblems } {
  const problems = findProblems(draft)
  if (Object.keys(problems).length > 0) return { problems }
  const hasRead = filled(draft, 'read.action')
  const args = draft['list.args'].trim()
  const most = draft['list.mostPages'].trim()
  return {
    mapping: {
      list: {
        ...collect(draft, 'list', ['action', 'cursor', 'items', 'next', 'pages', 'total']),
        ...(args !== '' && { args: JSON.parse(args) as Readonly<Record<string, unknown>> }),
        ...(most !== '' && { mostPages: Number(most) }),
        ...(draft.isNewestFirst && { isNewestFirst: true }),
      } as SyncMapping['list'],
      ...(hasRead && { read: collect(draft, 'read', ['action', 'id', 'item']) as SyncMapping['read'] }),
      fields: collect(draft, 'fields', ['id', 'version', 'at', 'title', 'text', 'link', 'people']),
    } as SyncMapping,
  }
}

const filled = (draft: MappingDraft, field: MappingField): boolean => draft[field].trim() !== ''

function collect(
  draft: MappingDraft,
  part: string,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const values = names.map((name) => [name, draft[`${part}.${name}` as MappingField].trim()] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

function findProblems(draft: MappingDraft): MappingProblems {
  const has = (field: MappingField): boolean => filled(draft, field)
  const problems: Partial<Record<MappingField, MappingProblem>> = {}
  const needed: readonly MappingField[] = ['list.action', 'list.items', 'fields.id']
  for (const field of has('read.action') ? [...needed, 'read.id' as const] : needed)
    if (!has(field)) problems[field] = 'empty'
  if (!has('read.action') && !has('fields.text') && !has('fields.title')) problems['fields.text'] = 'no-text'
  if (has('list.args') && !isObject(draft['list.args'])) problems['list.args'] = 'not-an-object'
  if (has('list.mostPages') && !/^[1-9]\d{0,8}$/.test(draft['list.mostPages'].trim()))
    problems['list.mostPages'] = 'not-a-count'
  if (has('list.next') && has('list.pages')) problems['list.pages'] = 'two-next'
  else if (has('list.cursor') && !has('list.next') && !has('list.pages')) problems['list.next'] = 'no-next'
  else if (!has('list.cursor') && (has('list.next') || has('list.pages')))
    problems['list.cursor'] = 'no-cursor'
  return problems
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The field of the form at which a refusal of the server is shown. Undefined: it belongs to no field. */
export function fieldOfRefusal(named: string | undefined): MappingField | undefined {
  const field = named?.replace(/^sync\./, '')
  if (field === 'list') return 'list.cursor'
  if (field === 'read') return 'read.action'
  if (field === 'fields') return 'fields.text'
  return MAPPING_FIELDS.find((known) => field === known || field?.startsWith(`${known}.`))
}
