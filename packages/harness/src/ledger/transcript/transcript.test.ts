import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '@capstan/protocol'
import type { RecordOf } from '../../ports/ledger.ts'
import { parseStored } from '../../turn/message/stored-message.ts'
import {
  asks,
  CHILD,
  childStart,
  EXPIRED_SIGN_IN,
  message,
  replies,
  result,
  runStart,
  THREAD,
  TOP,
  TRIP,
  UNREACHABLE,
} from '../thread.fixture.ts'
import { toJsonl, toMarkdown } from './transcript.ts'

const turn = (...messages: Parameters<typeof message>[2][]) =>
  toMarkdown(THREAD, [runStart(1000), ...messages.map((one, index) => message(1001 + index, TOP, one))])
const reply = (text: string) => turn({ role: 'assistant', parts: [{ type: 'text', text }] })

describe('toMarkdown', () => {
  it('renders messages under headings and calls as collapsed details', () => {
    expect(toMarkdown(THREAD, TRIP)).toBe(`# The trip

*2026-01-05, thread_1*

## You

What should I pack?

## Assistant

I will look.

<details>
<summary>✗ Read calendar: tomorrow (500 ms)</summary>

Called \`read_calendar\` with

\`\`\`json
{
  "day": "tomorrow"
}
\`\`\`

It failed

\`\`\`text
401
\`\`\`

> *Why:* The sign-in has expired. *What to do next:* Reconnect the account.

</details>

<details>
<summary>✓ Ask notes helper (207 ms)</summary>

Called \`delegate_to_notes_helper\` with

\`\`\`json
{
  "prompt": "Look up the list."
}
\`\`\`

Sub-agent notes_helper, done after 2 steps (\`run_child\`)

It answered

\`\`\`text
Rain jacket and torch.
\`\`\`

</details>

Take a rain jacket.
`)
  })

  it('marks cut replies, quotes notices and names attachments', () => {
    const page = turn(
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'See this' },
          { type: 'image', ref: 'r', mediaType: 'image/png', bytes: 1200, name: '<map>.png' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'Half a' }], cut: true },
      { role: 'notice', text: 'Gmail is now connected.\nUse it.' },
      { role: 'user', parts: [{ type: 'text', text: 'quick' }], delivery: 'steer' },
    )
    expect(page).toContain('*[image: &lt;map&gt;.png, image/png, 1,200 bytes]*')
    expect(page).toContain('Half a\n\n*(This reply was cut off.)*')
    expect(page).toContain('> *Notice:* Gmail is now connected.\n> Use it.')
    expect(page).toContain('## You, while it was working\n\nquick')
  })

  it('marks where a turn failed or was stopped and where the history was summarised', () => {
    const facts = { text: 'It broke.', usage: NO_USAGE, iterations: 1 }
    const page = toMarkdown(THREAD, [
      runStart(1000),
      { type: 'history-replace', at: 1001, runId: TOP, messages: [] },
      { type: 'run-end', at: 1002, runId: TOP, outcome: { type: 'aborted', ...facts } },
    ])
    expect(page).toContain('> *The part above was summarised for the model here.*\n\n> *Stopped here.*')
  })

  it('leaves the end of a sub-agent out of the conversation', () => {
    const facts = { text: 'It broke.', usage: NO_USAGE, iterations: 1 }
    const page = toMarkdown(THREAD, [
      runStart(1000),
      childStart(1001, 'c1'),
      { type: 'run-end', at: 1002, runId: CHILD, outcome: { type: 'aborted', ...facts } },
    ])
    expect(page).not.toContain('Stopped here')
  })

  it('leaves out the preface the harness put before a message', () => {
    expect(toMarkdown(THREAD, [runStart(1000), asks(1001, 'Hello')])).not.toContain('Today is Monday.')
  })

  it('uses fences that no tool output can close', () => {
    const page = toMarkdown(THREAD, [
      runStart(1000),
      replies(1001, TOP, '', ['c1', 'read', { path: '````' }]),
      result(1002, TOP, 'c1', 'read', { text: 'before\n```\n`````\n</details>\n## You' }),
    ])
    expect(page).toContain('``````text\nbefore\n```\n`````\n</details>\n## You\n``````\n\n</details>')
    expect(page).toContain('`````json')
  })

  it('closes a fence that a reply left open', () => {
    expect(reply('Look:\n```ts\nconst a = 1')).toContain('```ts\nconst a = 1\n```\n')
    expect(reply('~~~~\n```\n~~~')).toContain('~~~~\n```\n~~~\n~~~~\n')
  })

  it('shows the whole reply in a fence when the end of a nested fence is uncertain', () => {
    expect(reply('1. x\n   ```\n   y')).toContain('````text\n1. x\n   ```\n   y\n````')
  })

  it('escapes tags in text but not in code', () => {
    const page = reply('<!-- gone\n</details><b>\n```html\n<b>\n```\n1 < 2')
    expect(page).toContain('&lt;!-- gone\n&lt;/details>&lt;b>\n```html\n<b>\n```\n1 < 2')
  })

  it('moves headings in a reply below the headings of the page', () => {
    expect(reply('# You\n## You\nYou\n===\nYou\n---')).toContain('### You\n#### You\nYou\n\n===\nYou\n\n---')
    expect(toMarkdown({ ...THREAD, title: 'a\n## You <b>' }, [])).toMatch(/^# a ## You &lt;b&gt;\n/)
  })

  it('marks a call without a result', () => {
    const page = toMarkdown(THREAD, [runStart(1000), replies(1001, TOP, '', ['c1', 'read', {}])])
    expect(page).toContain('<summary>… read</summary>')
    expect(page).toContain('No result was recorded.')
  })
})

describe('the failures of a thread', () => {
  const failed: RecordOf<'run-end'> = {
    type: 'run-end',
    at: 2000,
    runId: TOP,
    outcome: {
      type: 'failed',
      failure: UNREACHABLE,
      text: 'It broke.',
      usage: NO_USAGE,
      iterations: 1,
    },
  }
  const records = [...TRIP.filter(({ type }) => type !== 'run-end'), failed]

  it('are in the JSON lines: of calls and of the turn', () => {
    const lines = toJsonl(THREAD, records)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ failure }) => failure)).toMatchObject([
      { v: 1, failure: { class: EXPIRED_SIGN_IN.class, next: EXPIRED_SIGN_IN.next } },
      { type: 'run-end', status: 'failed', runId: TOP, failure: { class: UNREACHABLE.class } },
    ])
  })

  it('are on the Markdown page: of calls and of the turn', () => {
    const page = toMarkdown(THREAD, records)
    expect(page).toContain('*Why:* The sign-in has expired.')
    expect(page).toContain(`> *Failed:* It broke.\n\n> *Why:* ${UNREACHABLE.cause}`)
  })
})

describe('toJsonl', () => {
  it('writes the thread first, then every message in its stored form', () => {
    const [meta, ...lines] = toJsonl(THREAD, TRIP)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(meta).toEqual({ type: 'thread', ...THREAD })
    expect(lines.map((line) => parseStored(line).role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
    const below = lines.flatMap(({ conversationId }, index) => (conversationId === CHILD ? [index] : []))
    expect(below).toEqual([3, 4, 5, 6])
    expect(lines[0]).toMatchObject({ v: 1, at: 1001, runId: TOP })
    expect(lines[0]).not.toHaveProperty('conversationId')
  })
})
