import type { Action } from '../../ports/connector.ts'

/** How many actions are sent with the request; the rest stay callable by name. */
const SHOWN = 25
/** How many when their schemas are large. */
const SHOWN_HEAVY = 12
const HEAVY_CHARS = 60_000

/** The actions that a task is likely to need, best first, and the others. */
export function rankActions<Kind extends Action>(
  actions: readonly Kind[],
  task: string,
): { readonly shown: readonly Kind[]; readonly others: readonly Kind[] } {
  const size = actions.reduce((sum, { input }) => sum + JSON.stringify(input).length, 0)
  const most = size > HEAVY_CHARS ? SHOWN_HEAVY : SHOWN
  if (actions.length <= most) return { shown: actions, others: [] }
  const order = orderActions(actions, task)
  return { shown: order.slice(0, most), others: order.slice(most) }
}

/** The actions by how well they fit a task, best first. Those that fit equally keep the order of the service. */
export function orderActions<Kind extends Action>(actions: readonly Kind[], task: string): readonly Kind[] {
  const wanted = toWords(task)
  const verbs = new Set(wanted.flatMap((word) => VERBS.get(word) ?? []))
  const scored = actions.map((action) => ({ action, score: score(action, wanted, verbs) }))
  return scored.toSorted((a, b) => b.score - a.score).map(({ action }) => action)
}

function score({ name, description }: Action, wanted: readonly string[], verbs: ReadonlySet<string>): number {
  const inName = new Set(toWords(name))
  const inDescription = new Set(toWords(description.slice(0, 400)))
  let sum = 0
  for (const word of wanted) {
    if (inName.has(word)) sum += 3
    else if (inDescription.has(word)) sum += 1
  }
  for (const verb of verbs) if (inName.has(verb)) sum += 2
  return sum
}

/** Words of people, and the words that actions use for them. */
const VERBS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['get', 'read', 'show', 'open', 'fetch', 'view', 'retrieve', 'load'],
    ['search', 'find', 'look', 'query', 'filter', 'list'],
    ['create', 'add', 'new', 'make', 'write', 'save', 'insert', 'post', 'compose', 'draft'],
    ['send', 'reply', 'forward', 'mail', 'message'],
    ['update', 'edit', 'change', 'rename', 'set', 'modify', 'append', 'patch', 'move'],
    ['delete', 'remove', 'trash', 'archive', 'clear', 'purge'],
    ['share', 'invite', 'grant', 'assign'],
  ].flatMap((group) => group.map((word) => [word, group] as const)),
)

/** The words of a text: lower case, split at case changes, without plural endings and filler words. */
function toWords(text: string): readonly string[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
  return [...new Set(words.filter((word) => word.length > 1 && !EMPTY.has(word)).map(toSingular))]
}

const toSingular = (word: string): string =>
  word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word

const EMPTY: ReadonlySet<string> = new Set(
  'the and for with from into that this what which please can you all any its is are was be to of in on at it an my me'.split(
    ' ',
  ),
)
