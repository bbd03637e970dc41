import { cutText } from '@capstan/harness/connectors'
import type { Scene } from './scene.ts'
import { matches, needs } from './scene.ts'
import type { DemoReply, Finished, DemoTurn } from './demo-turn.ts'
import { call, reasonOf } from './demo-turn.ts'

const DELEGATE = 'delegate_to_integrations_agent'
const CONNECT = 'connect_app'
const TOOLKIT = 'notes'

const inNotes = needs(DELEGATE, CONNECT)

/** The first words of the report from the sub-agent in the app; see `notes-worker.ts`. */
export const DONE = 'Done: '
export const NOT_DONE = 'Not done: '
/** What a sub-agent says about something it did not do, also behind the words of the harness. */
export const afterNotDone = (text: string): string => text.split(NOT_DONE).at(-1)!

interface Errand {
  /** The text before the first call. */
  readonly opening: string
  readonly task: string
  /** The answer, made from the report. */
  readonly toAnswer: (report: string) => string
}

/** Delegates a task in Notes, with a sign-in where one is needed. */
function runErrand({ last, finished }: DemoTurn, { opening, task, toAnswer }: Errand): DemoReply {
  const begin = (text: string): DemoReply => ({
    text,
    calls: [call(DELEGATE, { toolkit: TOOLKIT, prompt: task })],
  })
  if (!last) return begin(opening)
  if (last.tool === CONNECT)
    return isConnected(last) ? begin('Notes is connected, so I go on.') : notConnected(last)
  if (last.text.includes(NOT_DONE)) return { text: `It was not done. ${afterNotDone(last.text)}` }
  if (!last.ok) {
    const hasAsked = finished.some(({ tool }) => tool === CONNECT)
    if (needsSignIn(last.text) && !hasAsked)
      return {
        text: 'Notes is not connected yet. Sign in with the card below, and I go on by myself.',
        calls: [call(CONNECT, { toolkit: TOOLKIT })],
      }
    return { text: `That did not work, and nothing was written. ${reasonOf(last.text)}` }
  }
  if (last.text.startsWith(DONE)) return { text: toAnswer(last.text.slice(DONE.length)) }
  return { text: `It was not done. ${last.text}` }
}

const needsSignIn = (text: string): boolean => text.includes(CONNECT) || /being connected/.test(text)
const isConnected = ({ ok, text }: Finished): boolean => ok && !/not connected/.test(text)
const notConnected = ({ ok, text }: Finished): DemoReply => {
  if (ok)
    return {
      text: 'Notes is not connected yet, so nothing was written. Ask me again when you have signed in.',
    }
  const isDeclined = /denied by the user|does not want to connect/.test(text)
  const why = isDeclined ? 'Connect it whenever you like, and ask me again.' : reasonOf(text)
  return { text: `Without Notes I cannot do it, and nothing was written. ${why}` }
}

const PACKING = {
  title: 'Packing for Sandholm',
  text: '- Rain jacket\n- Torch\n- Bed linen\n- Tide table\n- Something to read',
}

/** The page to save: named, in quotes, or after a colon. */
function toPage(words: string): { readonly title: string; readonly text: string } {
  if (/sandholm/i.test(words)) return PACKING
  const quoted = /["“„«「]([^"”“»」]+)["”“»」]/.exec(words)?.[1]
  const colon = words.indexOf(':')
  const behind = colon === -1 ? undefined : words.slice(colon + 1)
  const text = (quoted ?? behind ?? words).trim()
  return { title: cutText(text.split(/\s+/).slice(0, 6).join(' '), 80), text }
}

const SAVE: Scene = {
  offer: {
    prompt: 'Save the packing list for Sandholm to my Notes',
    shows: 'connects an app in the middle of a turn',
  },
  isPossible: inNotes,
  // Every translation keeps these names.
  fits: (words) =>
    /notes?\b/i.test(words) &&
    (/sandholm/i.test(words) || /\bsave\b|\bwrite\b|\badd\b|\bput\b|\bremember\b|\bkeep\b/i.test(words)),
  next(turn) {
    const { title, text } = toPage(turn.words)
    return runErrand(turn, {
      opening: `I will write “${title}” into your Notes.`,
      task: `Create a page titled ${JSON.stringify(title)} with this text:\n${text}`,
      toAnswer: (report) => `It is in your Notes. ${report}\n\n${text}`,
    })
  },
}

/** The calendar service behind Notes is busy two times out of three. */
const TIDEWATER: Scene = {
  offer: {
    prompt: 'Bring my Tidewater calendar into my Notes',
    shows: 'fails two times of three, and says why',
  },
  isPossible: inNotes,
  fits: matches(/tidewater|calendar/i),
  next: (turn) =>
    runErrand(turn, {
      opening: 'I will bring your calendar into your Notes.',
      task: 'Bring in the calendar.',
      toAnswer: (report) => `Your week is in your Notes now. ${report}`,
    }),
}

const EXPORT: Scene = {
  offer: { prompt: 'Export my Notes', shows: 'handles a very long result' },
  isPossible: inNotes,
  fits: matches(/\bexport\b/i),
  next: (turn) =>
    runErrand(turn, {
      opening: 'I will export the notebook.',
      task: 'Export the notebook.',
      toAnswer: (report) => report,
    }),
}

const REINDEX: Scene = {
  offer: { prompt: 'Rebuild the index of my Notes', shows: 'takes twenty seconds, and can be stopped' },
  isPossible: inNotes,
  fits: matches(/\bre-?index\b|\bindex\b/i),
  next: (turn) =>
    runErrand(turn, {
      opening: 'I will rebuild the search index. That takes a while.',
      task: 'Rebuild the search index.',
      toAnswer: (report) => report,
    }),
}

const FIND: Scene = {
  offer: { prompt: 'What is in my Notes?' },
  isPossible: inNotes,
  fits: matches(/\bnotes?\b|\bpages?\b/i),
  next(turn) {
    const wanted = /\babout (?:the |my )?([\p{L}\d]+)/iu.exec(turn.words)?.[1]
    return runErrand(turn, {
      opening: 'I will look into your Notes.',
      task: wanted === undefined ? 'List the pages.' : `Search the pages for ${JSON.stringify(wanted)}.`,
      toAnswer: (report) => `Your Notes say:\n\n${report}`,
    })
  },
}

const HELPERS = ['delegate_to_researcher', 'delegate_to_planner'] as const

/** Two sub-agents in parallel, each of which reads in the app through a sub-agent of its own. */
const ALMANAC: Scene = {
  offer: {
    prompt: 'Let two helpers read my Notes and draw up a plan for the week called Almanac',
    shows: 'starts sub-agents side by side',
  },
  isPossible: needs(DELEGATE, CONNECT, ...HELPERS),
  fits: matches(/almanac|plan my week/i),
  next(turn) {
    const asked = turn.resultOf(CONNECT)
    if (!asked)
      return {
        text: 'First I make sure that your Notes can be read.',
        calls: [call(CONNECT, { toolkit: TOOLKIT })],
      }
    if (!isConnected(asked)) return notConnected(asked)
    const found = turn.resultOf('delegate_to_researcher')
    const plan = turn.resultOf('delegate_to_planner')
    if (!found || !plan)
      return {
        text: 'Two helpers read them at the same time: one finds out what is there, the other makes the plan.',
        calls: [
          call('delegate_to_researcher', {
            prompt: 'Read every page in the Notes and report what each one is about.',
          }),
          call('delegate_to_planner', { prompt: 'Plan the week from the pages in the Notes.' }),
        ],
      }
    return {
      text: [
        '## Almanac',
        '',
        toPart('What your Notes hold', found),
        '',
        toPart('A plan for the week', plan),
      ].join('\n'),
    }
  },
}

function toPart(title: string, { ok, text }: Finished): string {
  const works = ok && !text.startsWith(NOT_DONE)
  return works
    ? `### ${title}\n\n${text}`
    : `### ${title}\n\nThis part is missing: ${reasonOf(afterNotDone(text))}`
}

/** From specific to general. */
export const NOTES_SCENES: readonly Scene[] = [ALMANAC, TIDEWATER, EXPORT, REINDEX, SAVE, FIND]
