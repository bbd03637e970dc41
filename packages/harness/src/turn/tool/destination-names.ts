import type { Effect, Tool } from './tool.ts'
import { toJsonSchema } from './tool.ts'

/** Words in the name of an argument that say where something goes. */
const ADDRESS_WORDS = new Set(['url', 'uri', 'link', 'host', 'hostname', 'domain', 'endpoint', 'webhook'])
const RECEIVER_WORDS = new Set(
  'to cc bcc recipient recipients receiver email emails address addresses phone channel channels account iban payee'
    .concat(' attendee attendees participant participants invitee invitees')
    .split(' '),
)
const MAX_PROPERTIES = 200

const guesses = new WeakMap<Tool, Partial<Record<'read' | 'write', readonly string[]>>>()

/** The arguments of a tool that decide where something goes: declared, or guessed from their names, once per tool. */
export function destinationNames(tool: Tool, effect: Effect): readonly string[] {
  if (tool.destinations) return tool.destinations
  const kind = effect === 'read' ? 'read' : 'write'
  const known = guesses.get(tool)?.[kind]
  if (known) return known
  const guessed = propertiesOf(tool).filter((name) =>
    wordsOf(name).some((word) => ADDRESS_WORDS.has(word) || (kind === 'write' && RECEIVER_WORDS.has(word))),
  )
  guesses.set(tool, { ...guesses.get(tool), [kind]: guessed })
  return guessed
}

function propertiesOf({ input }: Tool): readonly string[] {
  const { properties } = toJsonSchema(input)
  return typeof properties === 'object' && properties !== null
    ? Object.keys(properties).slice(0, MAX_PROPERTIES)
    : []
}

/** The words of an argument's name: `shareWith_emails` is share, with, emails. */
const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, 100)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
