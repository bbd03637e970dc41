import { CONFIDENT_SCORE } from '../ports/item-search/score-item.ts'
import type { MemoryHit, MemoryItem, UserMemory } from '../ports/user-memory.ts'
import { sanitizeLine, sanitizeText } from '../text/untrusted-text.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { createFactTools } from './facts.ts'
import { labelled } from './labelled.ts'

const MAX_HITS = 5
const MAX_LINE_CHARS = 300
const EXCERPT_CHARS = 500
// Below the budget of a result.
const MAX_TEXT_CHARS = 10_000

// Mail, notes and the like: private, and written by others.
const FROM_APPS = {
  effect: 'read',
  resultsFrom: 'app',
  returns: ['private', 'untrusted'],
  destinations: [],
} as const

/** Tools that find what was seen in the apps of one user, and that propose and forget. They reach no other user's memory. */
export function createMemoryTools(memory: UserMemory, userId: string): readonly Tool[] {
  const search = defineTool({
    ...FROM_APPS,
    name: 'memory_search',
    description:
      "Search the user's notes, mail, chats, calendar and files, as last seen. Cite what you use as [title](link). Weak matches may mislead.",

    input: {
      type: 'object',
      properties: { query: { type: 'string' } },
      required: ['query'],
      additionalProperties: false,
    },
    label: labelled('Search memory', 'query'),
    async run(args) {
      const { query } = args as { query: string }
      const hits = await memory.search(userId, { words: query, limit: MAX_HITS })
      if (hits.length > 0) return succeed(hits.map(describeHit).join('\n\n'))
      const isEmpty = (await memory.sources(userId)).length === 0
      return succeed(
        isEmpty ? 'Memory is empty: no app was read into it yet.' : 'Nothing was found in memory.',
      )
    },
  })
  const read = defineTool({
    ...FROM_APPS,
    name: 'memory_read',
    description: 'Read an item that memory_search found in full.',
    input: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    },
    label: labelled('Read from memory', 'id'),
    async run(args) {
      const { id } = args as { id: string }
      const item = await memory.get(userId, id)
      if (!item)
        return fail('There is no such item in memory. It may have been forgotten.', { errorCode: 'ENOENT' })
      return succeed(`${describeSource(item)}\n\n${sanitizeText(item.text, MAX_TEXT_CHARS)}`)
    },
  })
  return [search, read, ...createFactTools(memory, userId)]
}

function describeHit({ item, score }: MemoryHit): string {
  const match = score < CONFIDENT_SCORE ? 'weak match' : 'match'
  return `${describeSource(item)}\n${match}: ${sanitizeLine(item.text, EXCERPT_CHARS)}`
}

/** Where an item is from, so that an answer can cite it. */
function describeSource({ id, title, app, account, at, people, link, seenAt }: MemoryItem): string {
  const line = (text: string): string => sanitizeLine(text, MAX_LINE_CHARS)
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
  return [
    `id: ${line(id)}`,
    `title: ${line(title) || '(untitled)'}`,
    `from: ${line(account === undefined ? app : `${app} (${account})`)}, ${day(at)}, seen ${day(seenAt)}`,
    ...(people.length > 0 ? [`people: ${line(people.join(', '))}`] : []),
    ...(link === undefined ? [] : [`link: ${line(link)}`]),
  ].join('\n')
}
