import { cutText } from '@capstan/harness/connectors'
import type { Scene } from './scene.ts'
import { matches, needs } from './scene.ts'
import type { DemoReply } from './demo-turn.ts'
import { call, reasonOf } from './demo-turn.ts'

const SEARCH = 'memory_search'
const READ = 'memory_read'
const MAX_CHARS = 400

const NOT_KNOWN: DemoReply = { text: 'I do not know: memory holds nothing certain about that.' }

/** Answers from what was synced, and says where it is from. */
export const MEMORY: Scene = {
  offer: {
    prompt: 'What does my memory say about Lisbon?',
    shows: 'finds what was synced from an app, and cites it',
  },
  isPossible: needs(SEARCH, READ),
  fits: matches(/\bmemory\b/i),
  next(turn) {
    const { words, last } = turn
    if (!last) return { text: '', calls: [call(SEARCH, { query: toQuery(words) })] }
    if (!last.ok) return { text: `Memory could not be read. ${reasonOf(last.text)}` }
    const found = findHit(turn.resultOf(SEARCH)?.text ?? '')
    if (!found) return NOT_KNOWN
    if (last.tool === SEARCH) return { text: '', calls: [call(READ, { id: found.id })] }
    // Behind the lines that say where the item is from.
    const text = last.text.slice(last.text.indexOf('\n\n') + 2).trim()
    const quote = cutText(text, MAX_CHARS).replaceAll('\n', '\n> ')
    return { text: `Your memory says:\n\n> ${quote}\n\nSource: ${toSource(found)}` }
  },
}

function toQuery(words: string): string {
  const query = /\babout (?:the |my )?(.+)/is.exec(words)?.[1] ?? words
  let end = query.length
  while (end > 0 && '?.! \n'.includes(query.charAt(end - 1))) end--
  return query.slice(0, end)
}

interface Hit {
  readonly id: string
  readonly title: string
  readonly link: string | undefined
}

/** The best item that is more than a weak match. */
function findHit(text: string): Hit | undefined {
  const block = text.split('\n\n').find((one) => /^match: /m.test(one))
  const field = (name: string): string | undefined =>
    block
      ?.split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const id = field('id')
  return id === undefined ? undefined : { id, title: field('title') ?? id, link: field('link') }
}

function toSource({ title, link }: Hit): string {
  const name = title.replaceAll(/[[\]\\]/g, '')
  return link === undefined ? name : `[${name}](${link})`
}
