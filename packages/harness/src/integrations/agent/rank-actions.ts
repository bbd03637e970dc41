import type { Action } from '../../ports/connector.ts'

/** So many actions are put in front of the model; the rest stay callable by name. */
const SHOWN = 25
/** When their schemas are heavy, fewer. */
const SHOWN_HEAVY = 12
const HEAVY_CHARS = 60_000
/** With fewer hits than this the task says too little to choose by. */
const LEAST_HITS = 3

/** The actions that a task is likely to need, best first, and the others. */
export function rankActions(
  actions: readonly Action[],
  task: string,
): { readonly shown: readonly Action[]; readonly others: readonly Action[] } {
  const size = actions.reduce((sum, { input }) => sum + JSON.stringify(input).length, 0)
  const most = size > HEAVY_CHARS ? SHOWN_HEAVY : SHOWN
  if (actions.length <= most) return { shown: actions, others: [] }
  const wanted = toWords(task)
  const verbs = new Set(wanted.flatMap((word) => VERBS[word] ?? []))
  const scored = actions.map((action) => ({ action, score: score(action, wanted, verbs) }))
  const hits = scored.filter((one) => one.score > 0).length
  // Stable: what scores the same stays in the service's own order.
  const ranked = hits < LEAST_HITS ? scored : scored.toSorted((a, b) => b.score - a.score)
  const order = ranked.map(({ action }) => action)
  return { shown: order.slice(0, most), others: order.slice(most) }
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

/** What people say, and what actions are called. */
const VERBS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    ['get', 'read', 'show', 'open', 'fetch', 'view', 'retrieve', 'load'],
    ['search', 'find', 'look', 'query', 'filter', 'list'],
    ['create', 'add', 'new', 'make', 'write', 'save', 'insert', 'post', 'compose', 'draft'],
    ['send', 'reply', 'forward', 'mail', 'message'],
    ['update', 'edit', 'change', 'rename', 'set', 'modify', 'append', 'patch', 'move'],
    ['delete', 'remove', 'trash', 'archive', 'clear', 'purge'],
    ['share', 'invite', 'grant', 'assign'],
  ].flatMap((group) => group.map((word) => [word, group])),
)

/** Lower case, cut at every change of kind, plural endings and words that say nothing left out. */
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
