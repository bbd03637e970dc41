import type { ModelRequest } from '@capstan/harness'
import { NOTES_SCENES } from './notes-scenes.ts'
import { readNotes, workInNotes } from './notes-worker.ts'
import type { Scene } from './scene.ts'
import { answered, SMALL_SCENES } from './small-scenes.ts'
import type { DemoReply, Story } from './story.ts'
import { readStory } from './story.ts'
import { LOOSE_TRIP_SCENES, TRIP_SCENES, workAsLibrarian } from './trip-scenes.ts'

const SCENES: readonly Scene[] = [...TRIP_SCENES, ...NOTES_SCENES, ...SMALL_SCENES, ...LOOSE_TRIP_SCENES]

/** The next line of the script, from the conversation so far. Pure. */
export function nextReply(request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): DemoReply {
  const story = readStory(request)
  const reply = request.tools.length === 0 ? summarise(story) : play(story, request.system)
  return goOnFrom(story.shown, remark(story, reply))
}

function play(story: Story, system: string): DemoReply {
  // The harness tells every sub-agent so.
  if (system.includes('You work for another agent')) return playHelper(story)
  const scene = SCENES.find(({ fits, isPossible }) => isPossible(story) && fits(story.words))
  return answered(story) ?? scene?.next(story) ?? introduce(story)
}

function playHelper(story: Story): DemoReply {
  if (story.has('create_page')) return workInNotes(story)
  if (story.has('search_notes')) return workAsLibrarian(story)
  if (story.has('delegate_to_integrations_agent')) return readNotes(story, /\bplan\b/i.test(story.words))
  return { text: 'I am a script, not an AI, and nobody wrote me a part in this.' }
}

/** Asked with no tools at all: at the limit of a turn, or about a long text. */
function summarise({ words }: Story): DemoReply {
  const calls = words.split('\n').filter((line) => /\]: /.test(line)).length
  if (!words.startsWith('An assistant ran out of steps'))
    return { text: 'I am a script, not an AI: I cannot say anything about this text.' }
  return {
    text: `I have used up the steps of one turn, after ${calls} calls. I am not done yet; let me continue.`,
  }
}

function introduce(story: Story): DemoReply {
  const offers = SCENES.flatMap(({ offer, isPossible }) => (offer && isPossible(story) ? [offer] : []))
  return {
    text: [
      'I am the demo model: a script, not an AI. I know a few things by heart. Try one of these:',
      '',
      ...offers.map(({ prompt, shows }) => `- ${prompt}${shows === undefined ? '' : ` (${shows})`}`),
    ].join('\n'),
  }
}

function remark({ added, hasMedia, finished }: Story, reply: DemoReply): DemoReply {
  const remarks = [
    ...(hasMedia && finished.length === 0 ? ['A script has no eyes: I cannot look at what you sent.'] : []),
    ...(added === '' ? [] : [`You added "${added}"; my script cannot follow it.`]),
  ]
  return remarks.length === 0 ? reply : { ...reply, text: [...remarks, reply.text].join(' ').trim() }
}

/** What was shown before the connection broke is not said again. */
function goOnFrom(shown: string, reply: DemoReply): DemoReply {
  return shown !== '' && reply.text.startsWith(shown)
    ? { ...reply, text: reply.text.slice(shown.length) }
    : reply
}
