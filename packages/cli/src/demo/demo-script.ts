import type { Message } from '@capstan/harness'
import { textOf } from '@capstan/harness'

/** What the demo model says next, and what it asks for. */
export interface DemoReply {
  readonly text: string
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, string>> }[]
}

/** The words of a finished call, by the name of its tool. */
type Results = ReadonlyMap<string, string>

interface Scene {
  readonly fits: RegExp
  /** One reply after the other; each knows what the calls before it brought. */
  readonly replies: readonly ((results: Results, request: string) => DemoReply)[]
}

export const DEMO_PROMPT =
  'I take the ferry to Sandholm tomorrow evening. What day is today, when does it leave, am I free then, and what should I pack?'

const askLibrarian: DemoReply['calls'] = [
  { tool: 'delegate_to_librarian', args: { prompt: 'Put together what to pack for Sandholm.' } },
]

const TRIP: Scene = {
  fits: /ferry.*\bfree\b.*pack/is,
  replies: [
    () => ({
      text: 'I will look at the clock, your notes and your calendar.',
      calls: [
        { tool: 'clock', args: {} },
        { tool: 'search_notes', args: { words: 'ferry' } },
        { tool: 'read_calendar', args: { day: 'tomorrow' } },
      ],
    }),
    () => ({
      text: 'The calendar cannot be read right now, so I go on without it. The librarian can make the packing list.',
      calls: askLibrarian,
    }),
    (results) => ({
      text: [
        `It is ${toSpokenTime(results)}.`,
        '',
        `From your notes: ${results.get('search_notes')}`,
        `To pack: ${results.get('delegate_to_librarian')}`,
        '',
        'Whether you are free I cannot say: the sign-in of your calendar has expired. Reconnect it and ask me again.',
      ].join('\n'),
    }),
  ],
}

const PACKING: Scene = {
  fits: /\bpack|librarian|delegate|sub-?agent/i,
  replies: [
    () => ({ text: 'I will ask the librarian.', calls: askLibrarian }),
    (results) => ({ text: `The librarian says: ${results.get('delegate_to_librarian')}` }),
  ],
}

const CALENDAR: Scene = {
  fits: /calendar|\bfree\b|\bfail/i,
  replies: [
    () => ({
      text: 'I will look into your calendar.',
      calls: [{ tool: 'read_calendar', args: { day: 'tomorrow' } }],
    }),
    () => ({ text: 'I could not read it: its sign-in has expired. Reconnect it and ask me again.' }),
  ],
}

const CLOCK: Scene = {
  fits: /\btime\b|\bclock\b|\bdate\b|\btoday\b/i,
  replies: [
    () => ({ text: '', calls: [{ tool: 'clock', args: {} }] }),
    (results) => ({ text: `It is ${toSpokenTime(results)}.` }),
  ],
}

const SAVE: Scene = {
  fits: /\bsave\b|\bremember\b|write (?:it |that |this )?down/i,
  replies: [
    (_, request) => ({
      text: 'I will write that down.',
      calls: [{ tool: 'save_note', args: toNote(request) }],
    }),
    (results) => ({
      text: results.get('save_note')?.startsWith('Saved')
        ? 'It is in your notes now.'
        : 'It is not in your notes. Ask again if you change your mind.',
    }),
  ],
}

const NOTES: Scene = {
  fits: /\bnotes?\b|\bfind\b|\bsearch\b|ferry|sandholm|bread/i,
  replies: [
    (_, request) => ({
      text: '',
      calls: [
        { tool: 'search_notes', args: { words: /ferry|sandholm|bread/i.exec(request)?.[0] ?? 'sandholm' } },
      ],
    }),
    (results) => ({ text: `Your notes say:\n\n${results.get('search_notes')}` }),
  ],
}

const ANYTHING: Scene = {
  fits: /^/,
  replies: [
    () => ({
      text: [
        'I am the demo model: a script, not an AI. I know a few things by heart. Try one of these:',
        '',
        '- What time is it?',
        '- Find my notes about the ferry',
        '- What should I pack? (asks a sub-agent)',
        '- Save a note: buy rye flour (asks you first)',
        '- Am I free tomorrow? (fails, to show how that looks)',
      ].join('\n'),
    }),
  ],
}

const LIBRARIAN: Scene = {
  fits: /^/,
  replies: [
    () => ({ text: '', calls: [{ tool: 'search_notes', args: { words: 'sandholm' } }] }),
    () => ({ text: '', calls: [{ tool: 'read_note', args: { title: 'Packing for Sandholm' } }] }),
    (results) => ({ text: results.get('read_note') ?? '' }),
  ],
}

const SCENES = [TRIP, SAVE, PACKING, CALENDAR, CLOCK, NOTES, ANYTHING]

/** The next line of the script, from the conversation so far. Pure. */
export function nextReply(messages: readonly Message[], role: 'assistant' | 'librarian'): DemoReply {
  const asked = messages.findLastIndex((message) => message.role === 'user' && message.delivery !== 'steer')
  const request = messages[asked]
  const words = request ? textOf(request) : ''
  const since = messages.slice(asked + 1)
  const scene = role === 'librarian' ? LIBRARIAN : (SCENES.find(({ fits }) => fits.test(words)) ?? ANYTHING)
  const said = since.filter((message) => message.role === 'assistant').length
  const reply = scene.replies[said]?.(resultsOf(since), words) ?? {
    text: 'That is all my script has to say here.',
  }
  const added = addedSince(since)
  return added === ''
    ? reply
    : { ...reply, text: `You added "${added}"; my script cannot follow it. ${reply.text}` }
}

/** "Monday, 2026-01-05T23:30:05+00:00 (UTC)", as a person would say it. */
function toSpokenTime(results: Results): string {
  const [, day, time] = /^(\w+), \S+T(\d\d:\d\d)/.exec(results.get('clock') ?? '') ?? []
  return `${time} on ${day}`
}

/** "Save a note: buy flour" is a note about buying flour. */
function toNote(request: string): { readonly title: string; readonly text: string } {
  const text = request.slice(request.indexOf(':') + 1).trim()
  return { title: text.split(/\s+/).slice(0, 4).join(' '), text }
}

function resultsOf(messages: readonly Message[]): Results {
  return new Map(messages.filter((message) => message.role === 'tool').map(({ tool, text }) => [tool, text]))
}

/** What the user sent after the last reply. */
function addedSince(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .join(' ')
}
