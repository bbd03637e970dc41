import type { GrantConstraints } from '@capstan/protocol'

/** The values of the arguments that decide where a call sends something, by the name of the argument. */
export type Destinations = Readonly<Record<string, readonly string[]>>

const MAX_PATTERNS = 50
const MAX_PATTERN_CHARS = 300
const NAME = String.raw`[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+`
/**
 * No separators: a list of addresses in one text never matches a pattern for one address. No `%`, `!` or `=`: with these,
 * some mail servers pass a message on to another host.
 */
const MAIL = new RegExp(String.raw`^[\p{L}\p{N}\p{M}._+~-]{1,64}@(${NAME})$`, 'u')
const HOST = new RegExp(`^${NAME}$`, 'u')

/**
 * Whether a call sends only where the constraints allow: every destination value must match a pattern of its argument.
 * A destination without a pattern, or a call without a readable destination, does not match. Pure.
 */
export function fitsConstraints(constraints: GrantConstraints, destinations: Destinations): boolean {
  const entries = Object.entries(destinations).filter(([, values]) => values.length > 0)
  return (
    entries.length > 0 &&
    entries.every(([argument, values]) => {
      const patterns = Object.hasOwn(constraints, argument) ? constraints[argument]! : []
      return values.every((value) => patterns.some((pattern) => matchesDestination(pattern, value)))
    })
  )
}

/** Whether one value matches one pattern: an exact value, `*@domain` or `*.host`. Pure. */
export function matchesDestination(pattern: string, value: string): boolean {
  if (pattern.startsWith('*@')) return mailDomainOf(value) === pattern.slice(2).toLowerCase()
  if (pattern.startsWith('*.')) {
    const host = hostOf(value)
    const top = pattern.slice(2).toLowerCase()
    return host !== undefined && (host === top || host.endsWith(`.${top}`))
  }
  return value === pattern
}

/**
 * Constraints that fit a call: first exactly its own destinations, then the same domains and hosts where that is more.
 * None for a call without destinations, or with ones that are too long to show.
 */
export function suggestConstraints(destinations: Destinations): readonly GrantConstraints[] {
  // A value with a star would be read as a pattern, which is wider than the value.
  if (Object.values(destinations).some((values) => values.some((value) => value.includes('*')))) return []
  const exact = mapValues(destinations, (value) => value)
  if (checkPatterns(exact) !== undefined || !fitsConstraints(exact, destinations)) return []
  const wider = mapValues(destinations, widen)
  const isWider = JSON.stringify(wider) !== JSON.stringify(exact)
  return isWider && checkPatterns(wider) === undefined && fitsConstraints(wider, destinations)
    ? [exact, wider]
    : [exact]
}

/**
 * What is wrong with the constraints of an answer, in a sentence for its author; undefined when they are good. `limits`
 * are the constraints that were suggested for the call. A constraint must fit the call itself, so it can only narrow.
 */
export function checkConstraints(
  constraints: GrantConstraints,
  limits: readonly GrantConstraints[] = [],
): string | undefined {
  const [own] = limits
  if (!own) return 'This call has no destination that a constraint could name. Leave the constraints out.'
  const problem = checkPatterns(constraints)
  if (problem !== undefined) return problem
  const stranger = Object.keys(constraints).find((argument) => !Object.hasOwn(own, argument))
  if (stranger !== undefined)
    return `"${stranger.slice(0, 60)}" is not a destination of this call. Its destinations: ${Object.keys(own).join(', ')}.`
  return fitsConstraints(constraints, own)
    ? undefined
    : 'The constraints do not match this call itself. Name a pattern for each of its destinations.'
}

function checkPatterns(constraints: GrantConstraints): string | undefined {
  const patterns = Object.values(constraints).flat()
  if (patterns.length === 0 || patterns.length > MAX_PATTERNS)
    return `Give between 1 and ${MAX_PATTERNS} patterns.`
  return patterns.every(isPattern)
    ? undefined
    : `A pattern is an exact value, *@domain or *.host, with at most ${MAX_PATTERN_CHARS} characters.`
}

function isPattern(pattern: string): boolean {
  if (pattern.length === 0 || pattern.length > MAX_PATTERN_CHARS) return false
  if (pattern.startsWith('*@') || pattern.startsWith('*.')) return HOST.test(pattern.slice(2))
  return !pattern.includes('*')
}

function widen(value: string): string {
  const domain = mailDomainOf(value)
  if (domain !== undefined) return `*@${domain}`
  const host = value.includes('://') ? hostOf(value) : undefined
  return host !== undefined && HOST.test(host) && !/^[\d.]+$/.test(host) ? `*.${host}` : value
}

const mailDomainOf = (value: string): string | undefined => MAIL.exec(value)?.[1]?.toLowerCase()

/** The host of a web address or a bare host. Addresses that programs read in different ways have none. */
function hostOf(value: string): string | undefined {
  if (!value.includes('://')) return HOST.test(value) ? value.toLowerCase() : undefined
  if (/[\s\\]/.test(value) || !URL.canParse(value)) return undefined
  const { protocol, hostname, username, password } = new URL(value)
  const isPlain = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  return isPlain && hostname !== '' ? hostname : undefined
}

function mapValues(destinations: Destinations, change: (value: string) => string): GrantConstraints {
  return Object.fromEntries(
    Object.entries(destinations)
      .filter(([, values]) => values.length > 0)
      .map(([argument, values]) => [argument, [...new Set(values.map(change))]]),
  )
}
