import type { Scene } from './scene.ts'
import { matches, needs } from './scene.ts'
import { toReadableTime } from './small-scenes.ts'
import type { DemoReply, DemoTurn } from './demo-turn.ts'
import { call } from './demo-turn.ts'

// For the demo in the terminal, which has notes in memory instead of an app.

export const DEMO_PROMPT =
  'I take the ferry to Sandholm tomorrow evening. What day is today, when does it leave, am I free then, and what should I pack?'

const askNotesHelper = call('delegate_to_notes_helper', { prompt: 'Put together what to pack for Sandholm.' })

const TRIP: Scene = {
  isPossible: needs('search_notes', 'read_calendar', 'delegate_to_notes_helper'),
  fits: matches(/ferry.*\bfree\b.*pack/is),
  next(turn) {
    const notes = turn.resultOf('search_notes')
    const packing = turn.resultOf('delegate_to_notes_helper')
    if (!notes)
      return {
        text: 'I will look at the clock, your notes and your calendar.',
        calls: [
          call('clock'),
          call('search_notes', { words: 'ferry' }),
          call('read_calendar', { day: 'tomorrow' }),
        ],
      }
    if (!packing)
      return {
        text: 'The calendar cannot be read right now, so I go on without it. The notes helper can make the packing list.',
        calls: [askNotesHelper],
      }
    return {
      text: [
        `It is ${toReadableTime(turn.resultOf('clock')?.text)}.`,
        '',
        `From your notes: ${notes.text}`,
        `To pack: ${packing.text}`,
        '',
        'Whether you are free I cannot say: the sign-in of your calendar has expired. Reconnect it and ask me again.',
      ].join('\n'),
    }
  },
}

const PACKING: Scene = {
  offer: { prompt: 'What should I pack?', shows: 'asks a sub-agent' },
  isPossible: needs('delegate_to_notes_helper'),
  fits: matches(/\bpack|notes helper|delegate|sub-?agent/i),
  next: ({ last }) =>
    last
      ? { text: `The notes helper says: ${last.text}` }
      : { text: 'I will ask the notes helper.', calls: [askNotesHelper] },
}

const CALENDAR: Scene = {
  offer: { prompt: 'Am I free tomorrow?', shows: 'fails, to show how that looks' },
  isPossible: needs('read_calendar'),
  fits: matches(/calendar|\bfree\b|\bfail/i),
  next: ({ last }) =>
    last
      ? { text: 'I could not read it: its sign-in has expired. Reconnect it and ask me again.' }
      : { text: 'I will look into your calendar.', calls: [call('read_calendar', { day: 'tomorrow' })] },
}

const SAVE: Scene = {
  offer: { prompt: 'Save a note: buy rye flour', shows: 'asks you first' },
  isPossible: needs('save_note'),
  fits: matches(/\bsave\b|\bremember\b|write (?:it |that |this )?down/i),
  next({ words, last }) {
    if (!last) return { text: 'I will write that down.', calls: [call('save_note', toNote(words))] }
    return {
      text: last.text.startsWith('Saved')
        ? 'It is in your notes now.'
        : 'It is not in your notes. Ask again if you change your mind.',
    }
  },
}

const NOTES: Scene = {
  offer: { prompt: 'Find my notes about the ferry' },
  isPossible: needs('search_notes'),
  fits: matches(/\bnotes?\b|\bfind\b|\bsearch\b|ferry|sandholm|bread/i),
  next({ words, last }) {
    const wanted = /ferry|sandholm|bread/i.exec(words)?.[0] ?? 'sandholm'
    return last
      ? { text: `Your notes say:\n\n${last.text}` }
      : { text: '', calls: [call('search_notes', { words: wanted })] }
  },
}

/** "Save a note: buy flour" is a note about buying flour. */
function toNote(words: string): { readonly title: string; readonly text: string } {
  const text = words.slice(words.indexOf(':') + 1).trim()
  return { title: text.split(/\s+/).slice(0, 4).join(' '), text }
}

/** Before the general scenes: the trip uses the clock, too. */
export const TRIP_SCENES: readonly Scene[] = [TRIP, SAVE, PACKING, CALENDAR]
/** Last: their words are in many sentences. */
export const LOOSE_TRIP_SCENES: readonly Scene[] = [NOTES]

/** The sub-agent of the terminal's demo. */
export function workAsNotesHelper(turn: DemoTurn): DemoReply {
  const note = turn.resultOf('read_note')
  if (note) return { text: note.text }
  return turn.resultOf('search_notes')
    ? { text: '', calls: [call('read_note', { title: 'Packing for Sandholm' })] }
    : { text: '', calls: [call('search_notes', { words: 'sandholm' })] }
}
