import type { Effect, JsonSchema, Tool } from './tool.ts'
import { toJsonSchema } from './tool.ts'

const guesses = new WeakMap<Tool, Partial<Record<'read' | 'write', readonly string[]>>>()

/** The arguments of a tool that decide where something goes: declared, or guessed from their names, once per tool. */
export function destinationNames(tool: Tool, effect: Effect): readonly string[] {
  if (tool.destinations) return tool.destinations
  const kind = effect === 'read' ? 'read' : 'write'
  const known = guesses.get(tool)?.[kind]
  if (known) return known
  const guessed = guessDestinations(tool, kind)
  guesses.set(tool, { ...guesses.get(tool), [kind]: guessed })
  return guessed
}

/** Addresses: a call that has one sends to it, also when it only reads. */
const ADDRESS_WORDS = new Set(
  'url urls uri uris link links href host hosts hostname domain endpoint webhook callback website site'.split(
    ' ',
  ),
)

/** People, accounts and places: they receive something when a call changes something. */
const RECEIVER_WORDS = new Set(
  (
    'to cc bcc recipient recipients receiver receivers email emails mail address addresses phone channel channels ' +
    'account accounts iban bic swift wallet payee beneficiary attendee attendees participant participants invitee ' +
    'invitees guest guests share shared sharing user users member members assignee assignees audience destination ' +
    'destinations target remote folder path bucket room rooms chat group groups'
  ).split(' '),
)

/** The text that leaves with a call to an outside service. */
const QUERY_WORDS = new Set(['q', 'query', 'queries', 'search', 'question'])
const REACHES_OUT = /web|internet|online|browse|crawl|scrape|http|fetch/i

const MAX_PROPERTIES = 200

function guessDestinations(tool: Tool, kind: 'read' | 'write'): readonly string[] {
  const names = propertiesOf(tool).slice(0, MAX_PROPERTIES)
  const sendsQuery = REACHES_OUT.test(tool.name)
  return names.filter((name) =>
    wordsOf(name).some(
      (word) =>
        ADDRESS_WORDS.has(word) ||
        (kind === 'write' && RECEIVER_WORDS.has(word)) ||
        (sendsQuery && QUERY_WORDS.has(word)),
    ),
  )
}

/** The names of a tool's arguments. */
export function propertiesOf({ input }: Tool): readonly string[] {
  try {
    const { properties } = toJsonSchema(input) as JsonSchema & { readonly properties?: unknown }
    return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  } catch {
    return []
  }
}

/** The words of an argument's name: `shareWith_emails` is share, with, emails. */
const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, 100)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
