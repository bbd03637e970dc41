import type { Notice } from '@capstan/protocol'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { listAccounts } from './connections/accounts.ts'
import type { DirectorySnapshot, ListedToolkit } from './directory/snapshot.ts'
import { hasSeveralAccounts, isConnected } from './directory/snapshot.ts'
import { CALL, CONNECT, DELEGATE, FIND, listWords } from './tool-names.ts'

/**
 * What a conversation knows of a user's apps, as it is kept in the ledger: the slugs of connected apps, the accounts of
 * apps with several, and when the last app arrived that can be connected.
 */
export function toAnnounced({ toolkits, arrivals }: DirectorySnapshot): readonly string[] {
  const apps = toolkits
    .filter(isConnected)
    .flatMap((toolkit) =>
      hasSeveralAccounts(toolkit) ? [toolkit.slug, announcedAccounts(toolkit)] : [toolkit.slug],
    )
  const last = arrivals.at(-1)
  return [...apps.toSorted(), ...(last ? [`${ARRIVED}${last.at}`] : [])]
}

const ARRIVED = '@ '

// No slug has a space in it.
const announcedAccounts = ({ slug, connections }: ListedToolkit): string =>
  `${slug} ${listAccounts(connections)}`

/**
 * What changed between what the conversation knows and what is so now, one notice for each change. Names only these
 * tools.
 */
export function toNotices(
  before: readonly string[],
  now: readonly string[],
  { toolkits, arrivals }: DirectorySnapshot,
  names: ReadonlySet<string>,
): Notice[] {
  const nameOf = (slug: string) => sanitizeLine(toolkits.find((one) => one.slug === slug)?.name ?? slug, 60)
  const isSlug = (announced: string) => !announced.includes(' ')
  const gone = before.filter((announced) => isSlug(announced) && !now.includes(announced))
  const come = now.filter((announced) => isSlug(announced) && !before.includes(announced))
  const announcedAt = Number(
    before.find((announced) => announced.startsWith(ARRIVED))?.slice(ARRIVED.length) ?? 0,
  )
  const arrived = arrivals
    .filter(
      ({ slug, at }) => at > announcedAt && !now.includes(slug) && toolkits.some((one) => one.slug === slug),
    )
    .map(({ slug }) => slug)
  const others = new Set(
    [...before, ...now]
      .filter((announced) => !isSlug(announced) && before.includes(announced) !== now.includes(announced))
      .map((announced) => announced.split(' ')[0]!),
  )
  return [
    ...gone.map((slug) => disconnectedNotice(slug, nameOf(slug))),
    ...come.map((slug) => connectedNotice(slug, nameOf(slug), names)),
    ...toolkits.filter(({ slug }) => others.has(slug)).flatMap((toolkit) => accountsNotice(toolkit, names)),
    ...(arrived.length > 0 && names.has(CONNECT) ? [availableNotice([...new Set(arrived)], nameOf)] : []),
  ]
}

const having = (wanted: readonly string[], names: ReadonlySet<string>): readonly string[] =>
  wanted.filter((name) => names.has(name))

const disconnectedNotice = (slug: string, name: string): Notice => ({
  text: `The app ${name} (toolkit "${slug}") is no longer connected.`,
  fact: { kind: 'app-disconnected', name, slug },
})

const connectedNotice = (slug: string, name: string, names: ReadonlySet<string>): Notice => ({
  text:
    `The app ${name} is connected now: use ${listWords(having([FIND, DELEGATE], names), 'or')} with toolkit "${slug}", and do not ask the user ` +
    'to connect it.',
  fact: { kind: 'app-connected', name, slug },
})

function availableNotice(slugs: readonly string[], nameOf: (slug: string) => string): Notice {
  const [only] = slugs.length === 1 ? slugs : []
  return {
    text: `Apps that can be connected with ${CONNECT} from now on: ${slugs.join(', ')}.`,
    fact: {
      kind: 'apps-available',
      name: slugs.map(nameOf).join(', '),
      ...(only === undefined ? undefined : { slug: only }),
    },
  }
}

function accountsNotice(
  { name: given, slug, connections }: ListedToolkit,
  names: ReadonlySet<string>,
): Notice[] {
  if (connections.length === 0) return []
  const name = sanitizeLine(given, 60)
  const app = `The app ${name} (toolkit "${slug}")`
  const accounts = listAccounts(connections)
  const text =
    connections.length === 1
      ? `${app} has only the account ${accounts} now.`
      : `${app} has these accounts now: ${accounts}. One of them can be the "account" of ${listWords(having([CALL, DELEGATE], names), 'or')}.`
  return [{ text, fact: { kind: 'app-accounts-changed', name, slug } }]
}
