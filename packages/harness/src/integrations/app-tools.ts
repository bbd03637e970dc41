import type { Notice } from '@capstan/protocol'
import type { Offer, ToolSource } from '../seams/seams.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { Surface } from '../turn/surface.ts'
import { createSurface } from '../turn/surface.ts'
import type { Tool } from '../turn/tool.ts'
import { listAccounts } from './connections/accounts.ts'
import type { Directory, DirectorySnapshot, ListedToolkit } from './directory/directory.ts'
import { isConnected } from './directory/directory.ts'

/** Apps that can be connected and are named to the model; the rest can be asked for by name. */
const MAX_OFFERED = 20

/**
 * The orchestrator's view of a user's apps. The tools never change a byte; which apps are connected stands in front of
 * a new conversation, and every change is told once, in one line, where the conversation has got to.
 */
export function createAppTools(directory: Directory, userId: string, tools: readonly Tool[]): ToolSource {
  const plain = createSurface(tools)

  const toSurface = (announced: readonly string[]): Surface => ({
    ...createSurface(tools),
    tools: plain.tools,
    announced,
  })

  let latest = toSurface([])

  /** The same object while nothing changed. */
  function surfaceFor(announced: readonly string[]): Surface {
    if (latest.announced?.join('\n') !== announced.join('\n')) latest = toSurface(announced)
    return latest
  }

  return {
    // Never one of those that are offered: what is built around it now belongs to another time.
    recall: toSurface,
    current(since): Offer {
      directory.touch(userId)
      const snapshot = directory.last(userId)
      const problem = directory.problem(userId)
      const stale = problem ? { problem } : undefined
      // Not known is not "none": what was last told stays true until something better is known.
      if (!snapshot)
        return { surface: since ?? surfaceFor([]), notices: [], baseline: toBaseline(undefined), ...stale }
      const surface = surfaceFor(connectedIn(snapshot))
      const notices =
        since?.announced && since !== surface ? toNotices(since.announced, surface.announced!, snapshot) : []
      return { surface, notices, baseline: toBaseline(snapshot), ...stale }
    },
  }
}

/** Slugs; of apps with several accounts, which; and up to when apps have come that can be connected. */
function connectedIn({ toolkits, arrivals }: DirectorySnapshot): readonly string[] {
  const apps = toolkits
    .filter(isConnected)
    .flatMap((toolkit) => (hasSeveral(toolkit) ? [toolkit.slug, accountsTold(toolkit)] : [toolkit.slug]))
  const last = arrivals.at(-1)
  return [...apps.toSorted(), ...(last ? [`${ARRIVED}${last.at}`] : [])]
}

const ARRIVED = '@ '

const hasSeveral = ({ connections }: ListedToolkit): boolean => connections.length > 1
// No slug has a space in it.
const accountsTold = ({ slug, connections }: ListedToolkit): string => `${slug} ${listAccounts(connections)}`

function toNotices(
  before: readonly string[],
  now: readonly string[],
  { toolkits, arrivals }: DirectorySnapshot,
): Notice[] {
  const nameOf = (slug: string) => sanitizeLine(toolkits.find((one) => one.slug === slug)?.name ?? slug, 60)
  const isSlug = (announced: string) => !announced.includes(' ')
  const gone = before.filter((announced) => isSlug(announced) && !now.includes(announced))
  const come = now.filter((announced) => isSlug(announced) && !before.includes(announced))
  const heardAt = Number(
    before.find((announced) => announced.startsWith(ARRIVED))?.slice(ARRIVED.length) ?? 0,
  )
  const arrived = arrivals
    .filter(
      ({ slug, at }) => at > heardAt && !now.includes(slug) && toolkits.some((one) => one.slug === slug),
    )
    .map(({ slug }) => slug)
  const others = new Set(
    [...before, ...now]
      .filter((announced) => !isSlug(announced) && before.includes(announced) !== now.includes(announced))
      .map((announced) => announced.split(' ')[0]!),
  )
  return [
    ...gone.map((slug) => disconnectedNotice(slug, nameOf(slug))),
    ...come.map((slug) => connectedNotice(slug, nameOf(slug))),
    ...toolkits.filter(({ slug }) => others.has(slug)).flatMap(accountsNotice),
    ...(arrived.length > 0 ? [availableNotice([...new Set(arrived)], nameOf)] : []),
  ]
}

const disconnectedNotice = (slug: string, name: string): Notice => ({
  text: `The app ${name} (toolkit "${slug}") is no longer connected.`,
  fact: { kind: 'app-disconnected', name, slug },
})

const connectedNotice = (slug: string, name: string): Notice => ({
  text:
    `The app ${name} is connected now: use ${DELEGATE} with toolkit "${slug}", and do not ask the user ` +
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

function accountsNotice({ name: given, slug, connections }: ListedToolkit): Notice[] {
  if (connections.length === 0) return []
  const name = sanitizeLine(given, 60)
  const app = `The app ${name} (toolkit "${slug}")`
  const accounts = listAccounts(connections)
  const text =
    connections.length === 1
      ? `${app} has only the account ${accounts} now.`
      : `${app} has these accounts now: ${accounts}. ${DELEGATE} takes one of them as "account".`
  return [{ text, fact: { kind: 'app-accounts-changed', name, slug } }]
}

export const DELEGATE = 'delegate_to_integrations_agent'
export const CONNECT = 'connect_app'

function toBaseline(snapshot: DirectorySnapshot | undefined): string {
  if (!snapshot) {
    return `Which apps of the user are connected is not known yet. Try ${DELEGATE}; it checks before it refuses.`
  }
  const connected = snapshot.toolkits.filter(isConnected)
  const others = snapshot.toolkits.filter((toolkit) => !isConnected(toolkit))
  const lines = connected.map((toolkit) => `- ${toolkit.slug}: ${describe(toolkit)}`)
  const offered = others.slice(0, MAX_OFFERED).map(({ slug }) => slug)
  return [
    lines.length > 0
      ? `Connected apps, for ${DELEGATE}:\n${lines.join('\n')}`
      : `No app of the user is connected yet.`,
    ...(offered.length > 0 ? [`Apps that can be connected with ${CONNECT}: ${offered.join(', ')}.`] : []),
    'What is connected may change at any time; the conversation then says so.',
  ].join('\n')
}

function describe(toolkit: ListedToolkit): string {
  const about = sanitizeLine(`${toolkit.name}. ${toolkit.description}`, 240)
  return hasSeveral(toolkit) ? `${about} Accounts: ${listAccounts(toolkit.connections)}.` : about
}
