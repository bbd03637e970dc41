import { cutText } from '../../text/cut-text.ts'

const MAX_SLUG_CHARS = 64

/** A name as a slug: lower case, and `_` for every run of what is neither letter nor digit. Blank when nothing is left. */
export function toSlug(name: string): string {
  const plain = cutText(name, 10 * MAX_SLUG_CHARS)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
  return withoutEdges(plain.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')).slice(0, MAX_SLUG_CHARS)
}

/** Things by the slug of their name. Of two with the same slug the first stays; whoever goes is warned of. */
export function bySlug<Thing>(
  things: Iterable<Thing>,
  nameOf: (thing: Thing) => string,
  warn: (message: string) => void = (message) => process.emitWarning(message, 'CapstanToolkitSlug'),
): ReadonlyMap<string, Thing> {
  const found = new Map<string, Thing>()
  for (const thing of things) {
    const slug = toSlug(nameOf(thing))
    if (slug === '') warn('a toolkit was left out: its name has neither letters nor digits')
    else if (found.has(slug)) warn(`a toolkit was left out: the slug "${slug}" is taken by another`)
    else found.set(slug, thing)
  }
  return found
}

const withoutEdges = (slug: string): string => slug.replace(/^_/, '').replace(/_$/, '')

/** The one that was meant, or those that may have been. */
export type FoundAction<Kind extends NamedAction> =
  | { readonly action: Kind }
  | { readonly candidates: readonly string[] }

/** An action, or the tool that was made of it. */
export interface NamedAction {
  readonly name: string
  readonly effect: unknown
}

const MAX_CANDIDATES = 5
/** Shorter ones are part of too many names. */
const LEAST_CHARS_OF_PART = 8

/**
 * Finds an action by the name a model gave it: as it is, in any case, with `-`, `_`, space or dot, with or without the
 * toolkit in front. A part of a name is enough only for what reads. Two that fit are none.
 */
export function findAction<Kind extends NamedAction>(
  actions: readonly Kind[],
  asked: string,
  toolkit: string = sharedBeginning(actions),
): FoundAction<Kind> {
  const bare = (name: string) => withoutPrefix(toSlug(name), toSlug(toolkit))
  const plain = (name: string) => squeeze(bare(name))
  const wanted = plain(asked)
  const ways: readonly ((name: string, action: Kind) => boolean)[] = [
    (name) => name === asked,
    (name) => name.toLowerCase() === asked.toLowerCase(),
    (name) => wanted !== '' && squeeze(toSlug(name)) === squeeze(toSlug(asked)),
    (name) => wanted !== '' && plain(name) === wanted,
    (name, { effect }) =>
      effect === 'read' && wanted.length >= LEAST_CHARS_OF_PART && isPart(plain(name), wanted),
  ]
  for (const fits of ways) {
    const matches = actions.filter((action) => fits(action.name, action))
    if (matches.length === 1) return { action: matches[0]! }
    if (matches.length > 1) return { candidates: matches.slice(0, MAX_CANDIDATES).map(({ name }) => name) }
  }
  return { candidates: nearest(actions, bare(asked), bare) }
}

const squeeze = (slug: string): string => slug.replaceAll('_', '')

const isPart = (name: string, wanted: string): boolean =>
  name.includes(wanted) || (name.length >= LEAST_CHARS_OF_PART && wanted.startsWith(name))

/** The first word, where all of them begin with it. */
function sharedBeginning(actions: readonly NamedAction[]): string {
  const [first, ...rest] = actions.map(({ name }) => toSlug(name).split('_')[0]!)
  return first !== undefined && rest.length > 0 && rest.every((word) => word === first) ? first : ''
}

function withoutPrefix(slug: string, prefix: string): string {
  return prefix !== '' && slug.startsWith(`${prefix}_`) ? slug.slice(prefix.length + 1) : slug
}

function nearest(
  actions: readonly NamedAction[],
  asked: string,
  bare: (name: string) => string,
): readonly string[] {
  const words = new Set(asked.split('_').filter((word) => word.length > 2))
  return actions
    .map(({ name }) => ({
      name,
      shared: bare(name)
        .split('_')
        .filter((word) => words.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, MAX_CANDIDATES)
    .map(({ name }) => name)
}
