import { describe, expect, it } from 'vitest'
import { NO_USAGE } from '@capstan/protocol'
import { parseStored } from '../turn/stored-message.ts'
import {
  asks,
  CHILD,
  childStart,
  message,
  replies,
  result,
  runStart,
  THREAD,
  TOP,
  TRIP,
} from './thread.fixture.ts'
import { toJsonl, toMarkdown } from './transcript.ts'

const turn = (...said: Parameters<typeof message>[2][]) =>
  toMarkdown(THREAD, [runStart(1000), ...said.map((one, index) => message(1001 + index, TOP, one))])
const says = (text: string) => turn({ role: 'assistant', parts: [{ type: 'text', text }] })

describe('a thread as Markdown', () => {
  it('reads as a conversation, with calls to be unfolded', () => {
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

  it('says where a turn failed or was stopped, and where the history was summarised', () => {
    const facts = { text: 'It broke.', usage: NO_USAGE, iterations: 1 }
    const page = toMarkdown(THREAD, [
      runStart(1000),
      { type: 'history-replace', at: 1001, runId: TOP, messages: [] },
      { type: 'run-end', at: 1002, runId: TOP, outcome: { type: 'aborted', ...facts } },
    ])
    expect(page).toContain('> *The part above was summarised for the model here.*\n\n> *Stopped here.*')
  })

  it('does not mix the end of a sub-agent into the conversation', () => {
    const facts = { text: 'It broke.', usage: NO_USAGE, iterations: 1 }
    const page = toMarkdown(THREAD, [
      runStart(1000),
      childStart(1001, 'c1'),
      { type: 'run-end', at: 1002, runId: CHILD, outcome: { type: 'aborted', ...facts } },
    ])
    expect(page).not.toContain('Stopped here')
  })

  it('leaves out what the harness wrote in front of the words', () => {
    expect(toMarkdown(THREAD, [runStart(1000), asks(1001, 'Hello')])).not.toContain('Today is Monday.')
  })

  it('chooses fences that no output can close', () => {
    const page = toMarkdown(THREAD, [
      runStart(1000),
      replies(1001, TOP, '', ['c1', 'read', { path: '````' }]),
      result(1002, TOP, 'c1', 'read', { text: 'before\n```\n`````\n</details>\n## You' }),
    ])
    expect(page).toContain('``````text\nbefore\n```\n`````\n</details>\n## You\n``````\n\n</details>')
    expect(page).toContain('`````json')
  })

  it('closes a fence that was left open', () => {
    expect(says('Look:\n```ts\nconst a = 1')).toContain('```ts\nconst a = 1\n```\n')
    expect(says('~~~~\n```\n~~~')).toContain('~~~~\n```\n~~~\n~~~~\n')
  })

  it('shows words as written when it cannot tell where a fence in them ends', () => {
    expect(says('1. x\n   ```\n   y')).toContain('````text\n1. x\n   ```\n   y\n````')
  })

  it('shows tags instead of obeying them, but leaves code alone', () => {
    const page = says('<!-- gone\n</details><b>\n```html\n<b>\n```\n1 < 2')
    expect(page).toContain('&lt;!-- gone\n&lt;/details>&lt;b>\n```html\n<b>\n```\n1 < 2')
  })

  it('lets nobody fake a heading of ours', () => {
    expect(says('# You\n## You\nYou\n===\nYou\n---')).toContain('### You\n#### You\nYou\n\n===\nYou\n\n---')
    expect(toMarkdown({ ...THREAD, title: 'a\n## You <b>' }, [])).toMatch(/^# a ## You &lt;b&gt;\n/)
  })

  it('says that a call has no result yet', () => {
    const page = toMarkdown(THREAD, [runStart(1000), replies(1001, TOP, '', ['c1', 'read', {}])])
    expect(page).toContain('<summary>… read</summary>')
    expect(page).toContain('No result was recorded.')
  })
})

describe('a thread as JSON lines', () => {
  it('begins with the thread and has every message in its stored form', () => {
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
