import type { ModelRequest } from '@capstan/harness/models'
import { FACT } from './fact-scene.ts'
import { MEMORY } from './memory-scene.ts'
import { NOTES_SCENES } from './notes-scenes.ts'
import { readNotes, workInNotes } from './notes-worker.ts'
import type { Scene } from './scene.ts'
import { answered, SMALL_SCENES } from './small-scenes.ts'
import type { DemoReply, DemoTurn } from './demo-turn.ts'
import { readDemoTurn } from './demo-turn.ts'
import { LOOSE_TRIP_SCENES, TRIP_SCENES, workAsNotesHelper } from './trip-scenes.ts'

const SCENES: readonly Scene[] = [
  FACT,
  MEMORY,
  ...TRIP_SCENES,
  ...NOTES_SCENES,
  ...SMALL_SCENES,
  ...LOOSE_TRIP_SCENES,
]

/** The next reply of the script, from the conversation so far. Pure. */
export function nextReply(request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): DemoReply {
  const turn = readDemoTurn(request)
  const reply = request.tools.length === 0 ? summarise(turn) : play(turn, request.system)
  return goOnFrom(turn.shown, remark(turn, reply))
}

function play(turn: DemoTurn, system: string): DemoReply {
  // The harness puts this sentence into the prompt of every sub-agent.
  if (system.includes('You work for another agent')) return playHelper(turn)
  const scene = SCENES.find(({ fits, isPossible }) => isPossible(turn) && fits(turn.words))
  return answered(turn) ?? scene?.next(turn) ?? introduce(turn)
}

function playHelper(turn: DemoTurn): DemoReply {
  // Where writing is switched off, the script still tries, as a model would, and is told why it cannot.
  if (turn.has('create_page') || turn.has('list_pages')) return workInNotes(turn)
  if (turn.has('search_notes')) return workAsNotesHelper(turn)
  if (turn.has('delegate_to_integrations_agent')) return readNotes(turn, /\bplan\b/i.test(turn.words))
  return { text: 'I am a script, not an AI, and nobody wrote me a part in this.' }
}

/** For a request without tools: the summary at a cap, or a question about a long text. */
function summarise({ words }: DemoTurn): DemoReply {
  const calls = words.split('\n').filter((line) => /\]: /.test(line)).length
  if (!words.startsWith('An assistant ran out of steps'))
    return { text: 'I am a script, not an AI: I cannot say anything about this text.' }
  return {
    text: `I have used up the steps of one turn, after ${calls} calls. I am not done yet; let me continue.`,
  }
}

function introduce(turn: DemoTurn): DemoReply {
  const offers = SCENES.flatMap(({ offer, isPossible }) => (offer && isPossible(turn) ? [offer] : []))
  return {
    text: [
      'I am the demo model: a script, not an AI. I know a few things by heart. Try one of these:',
      '',
      ...offers.map(({ prompt, shows }) => `- ${prompt}${shows === undefined ? '' : ` (${shows})`}`),
    ].join('\n'),
  }
}

function remark({ added, hasMedia, finished }: DemoTurn, reply: DemoReply): DemoReply {
  const remarks = [
    ...(hasMedia && finished.length === 0 ? ['A script has no eyes: I cannot look at what you sent.'] : []),
    ...(added === '' ? [] : [`You added "${added}"; my script cannot follow it.`]),
  ]
  return remarks.length === 0 ? reply : { ...reply, text: [...remarks, reply.text].join(' ').trim() }
}

/** Leaves out the text that was shown before the reply was cut. */
function goOnFrom(shown: string, reply: DemoReply): DemoReply {
  return shown !== '' && reply.text.startsWith(shown)
    ? { ...reply, text: reply.text.slice(shown.length) }
    : reply
}
