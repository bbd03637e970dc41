import { cutText } from '@capstan/harness/connectors'
import type { Scene } from './scene.ts'
import { always, matches, needs } from './scene.ts'
import type { DemoReply, DemoTurn } from './demo-turn.ts'
import { call, firstLine, reasonOf } from './demo-turn.ts'

/** "Monday, 2026-01-05T23:30:05+00:00 (UTC)", as a person would read it. */
export function toReadableTime(text: string | undefined): string {
  const [, day, time] = /^(\w+), \S+T(\d\d:\d\d)/.exec(text ?? '') ?? []
  return `${time} on ${day}`
}

const CLOCK: Scene = {
  offer: { prompt: 'What time is it?' },
  isPossible: needs('clock'),
  fits: matches(/\btime\b|\bclock\b|\bdate\b|\btoday\b/i),
  next(turn) {
    const seen = turn.resultOf('clock')
    return seen ? { text: `It is ${toReadableTime(seen.text)}.` } : { text: '', calls: [call('clock')] }
  },
}

const ZONES = [
  'Pacific/Auckland',
  'Australia/Sydney',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Bangkok',
  'Asia/Dhaka',
  'Asia/Kolkata',
  'Asia/Karachi',
  'Asia/Dubai',
  'Africa/Nairobi',
  'Africa/Cairo',
  'Europe/Berlin',
  'Europe/London',
  'Atlantic/Azores',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
]

/** Needs more iterations than a turn has: it stops at the cap and can be continued. */
const MERIDIAN: Scene = {
  offer: { prompt: 'Walk the Meridian', shows: 'needs more steps than a turn has, and can be continued' },
  isPossible: needs('clock'),
  fits: matches(/meridian/i),
  next({ finished }) {
    const zone = ZONES[finished.length]
    if (zone) return { text: '', calls: [call('clock', { time_zone: zone })] }
    const rows = finished.map(({ text }, index) => `| ${ZONES[index]} | ${toReadableTime(text)} |`)
    return { text: ['Once round the world:', '', '| where | when |', '| --- | --- |', ...rows].join('\n') }
  },
}

const WITH_TIME = /^\s*((?:every|each)\b[^,]{1,80}),\s*(\S[\s\S]*)$/i

/** Proposes to do the rest of the sentence again and again: "Every weekday at eight, tell me what time it is". */
const SCHEDULE: Scene = {
  offer: {
    prompt: 'Every weekday at eight, tell me what time it is',
    shows: 'becomes a schedule, once you allow it',
  },
  isPossible: needs('propose_schedule'),
  fits: matches(WITH_TIME),
  next({ words, last }) {
    const [, when = '', prompt = ''] = WITH_TIME.exec(words) ?? []
    if (!last) return { text: '', calls: [call('propose_schedule', { when, prompt: toSentence(prompt) })] }
    return { text: last.ok ? firstLine(last.text) : `There is no schedule. ${reasonOf(last.text)}` }
  },
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const NOWHERE = 'https://ouroboros.invalid/'

/** Repeats the same call until a guard halts the turn. */
const LOOP: Scene = {
  offer: { prompt: 'Show me a loop', shows: 'is halted by a guard' },
  isPossible: needs('web_fetch'),
  fits: matches(/\bloop\b|ouroboros/i),
  next: ({ finished }) => ({
    text: finished.length === 0 ? 'I will ask for the same page until somebody stops me.' : '',
    calls: [call('web_fetch', { url: NOWHERE })],
  }),
}

const CHOICES = ['By train', 'By ferry', 'Not at all']

const ASK: Scene = {
  offer: { prompt: 'Ask me something', shows: 'waits for your answer' },
  isPossible: needs('ask_user'),
  fits: matches(/\bask me\b|\bquestion\b/i),
  next: () => ({
    text: '',
    calls: [call('ask_user', { question: 'How do you want to travel to Sandholm?', options: CHOICES })],
  }),
}

/** The reply to the user's answer to `ask_user`. */
export function answered({ words, before }: DemoTurn): DemoReply | undefined {
  if (before?.tool !== 'ask_user') return undefined
  const chosen = CHOICES[Number(words.trim()) - 1] ?? words.trim()
  return {
    text: `Thank you. You chose: ${cutText(chosen, 200)}. My script ends here, so nothing was booked.`,
  }
}

const WEB: Scene = {
  offer: { prompt: 'Read https://ferries.invalid/timetable', shows: 'fails, and says why' },
  isPossible: needs('web_fetch'),
  fits: matches(/https?:\/\/\S/i),
  next({ words, last }) {
    if (!last) return { text: 'I will read that page.', calls: [call('web_fetch', { url: urlIn(words) })] }
    if (last.ok) return { text: `The page begins like this:\n\n> ${firstLine(cutText(last.text, 500))}` }
    return {
      text: `I could not read it, so I can say nothing about it. ${reasonOf(last.text)}`,
    }
  },
}

const urlIn = (words: string): string =>
  (/https?:\/\/[^\s<>"')\]]+/i.exec(words)?.[0] ?? '').replace(/(?<![.,;!?])[.,;!?]+$/, '')

const FILES: Scene = {
  offer: { prompt: 'Which files are there?', shows: 'looks into the folders you allowed' },
  isPossible: needs('list_files'),
  fits: matches(/\bfiles?\b|\bfolders?\b/i),
  next({ last }) {
    if (!last) return { text: '', calls: [call('list_files')] }
    return { text: last.ok ? `\`\`\`\n${cutText(last.text, 1500)}\n\`\`\`` : reasonOf(last.text) }
  },
}

const MARKDOWN: Scene = {
  offer: { prompt: 'Show me Markdown' },
  isPossible: always,
  fits: matches(/markdown/i),
  next: () => ({ text: SHOWCASE }),
}

const SHOWCASE = `## What an answer can hold

A **table**:

| tide | time | height |
| :--- | ---: | ---: |
| high | 06:12 | 3.4 m |
| low | 12:25 | 0.6 m |

Some *code*:

\`\`\`ts
const outcome = await session.send('When is high tide?')
console.log(outcome.text)
\`\`\`

A list, with a list in it:

1. Pack
   - rain jacket
   - torch
2. Go to pier 4
3. ~~Forget the ticket~~

> And a quotation, with \`a word of code\` and a [link](https://example.org/).`

/** From specific to general. */
export const SMALL_SCENES: readonly Scene[] = [SCHEDULE, MERIDIAN, LOOP, MARKDOWN, WEB, ASK, FILES, CLOCK]
