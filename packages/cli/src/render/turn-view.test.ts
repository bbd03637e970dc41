import type { TurnEvent } from '@capstan/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeTerminal } from '../testing/fake-terminal.ts'
import {
  SAMPLE_TURN,
  EXPIRED,
  ending,
  iterationStart,
  textDelta,
  toolEnd,
  toolStart,
  turnEnd,
  turnStart,
} from '../testing/sample-events.ts'
import { createScreen } from '../terminal/live-screen.ts'
import type { TurnView, TurnViewOptions } from './turn-view.ts'
import { createTurnView } from './turn-view.ts'

const env = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const open: TurnView[] = []
afterEach(() => {
  for (const view of open.splice(0)) view.close()
})

function watch(options: Partial<TurnViewOptions>): TurnView {
  const view = createTurnView({ env, now: () => 1900, ...options })
  open.push(view)
  return view
}

function onTerminal(events: readonly TurnEvent[], more: Partial<TurnViewOptions> = {}): readonly string[] {
  const terminal = createFakeTerminal(52)
  const screen = createScreen(terminal, env)
  const view = watch({ text: screen, rows: screen, ...more })
  for (const event of events) view.onEvent(event)
  return terminal.lines()
}

const FINAL_SCREEN = [
  'Let me look.',
  '',
  '  ✓ Search notes  ferry                       12 ms',
  '  ✗ Read calendar  tonight                   500 ms',
  '    Why: The sign-in has expired.',
  '    What to do next: Reconnect the account.',
  '  ✓ Ask notes helper  What to pack            1.3 s',
  '  │ ✓ Read note  Packing                       3 ms',
  '',
  'All found.',
  '',
  '  ✓ Done · 2 steps · 4 calls (1 failed)',
  '    1,200 tokens in, 80 out · about $0.0042 · 2.0 s',
  '',
]

describe('a turn view on a terminal', () => {
  it('shows that the model thinks, then its text, then running and finished calls', () => {
    expect(onTerminal(SAMPLE_TURN.slice(0, 2))).toEqual(['  ⠏ Thinking'])
    expect(onTerminal(SAMPLE_TURN.slice(0, 3))).toEqual(['Let me look.'])
    expect(onTerminal(SAMPLE_TURN.slice(0, 6))).toEqual([
      'Let me look.',
      '',
      '  ✓ Search notes  ferry                       12 ms',
      '  ⠏ Read calendar  tonight',
    ])
    expect(onTerminal(SAMPLE_TURN.slice(0, 13)).slice(-2)).toEqual([
      '  ⠏ Ask notes helper  What to pack',
      '  │ ⠏ Read note  Packing',
    ])
  })

  it('shows that the model thinks from its call to the first text or call of the turn itself', () => {
    const called = [turnStart('top', 1), iterationStart('top', 2)]
    expect(onTerminal(called).at(-1)).toContain('Thinking')
    expect(onTerminal([...called, textDelta('top', 3, 'Hi')]).join()).not.toContain('Thinking')
    const tool = [...called, toolStart('top', 3, 'x', 'Ask one')]
    expect(onTerminal(tool).join()).not.toContain('Thinking')
    const child = [turnStart('one', 4, { run: 'top', call: 'x' }), iterationStart('one', 5)]
    expect(onTerminal([...tool, ...child]).join()).not.toContain('Thinking')
  })

  it('ends with all text, rows and the summary', () => {
    expect(onTerminal(SAMPLE_TURN)).toEqual(FINAL_SCREEN)
  })

  it('wraps streamed text to the window', () => {
    const text = 'The ferry to Sandholm leaves at 18:40 from pier 4, as it does every day.'
    const events = [turnStart('top', 1), ...text.split(/(?<= )/).map((word) => textDelta('top', 2, word))]
    expect(onTerminal(events)).toEqual([
      'The ferry to Sandholm leaves at 18:40 from pier 4,',
      'as it does every day.',
    ])
  })

  it('keeps the footer below everything', () => {
    const footer = () => ['> typing']
    expect(onTerminal(SAMPLE_TURN.slice(0, 3), { footer })).toEqual(['Let me look.', '', '> typing'])
    expect(onTerminal(SAMPLE_TURN.slice(0, 5), { footer }).slice(-3)).toEqual([
      '  ⠏ Read calendar  tonight',
      '',
      '> typing',
    ])
  })

  it('adds lines of the caller between text and rows', () => {
    const terminal = createFakeTerminal(52)
    const screen = createScreen(terminal, env)
    const view = watch({ text: screen, rows: screen })
    for (const event of SAMPLE_TURN.slice(0, 4)) view.onEvent(event)
    view.addLines(['  by the way'])
    expect(terminal.lines()).toEqual(['Let me look.', '', '  by the way', '', '  ⠏ Search notes  ferry'])
  })

  it('keeps the settled lines when it is closed', () => {
    const terminal = createFakeTerminal(52)
    const screen = createScreen(terminal, env)
    const view = watch({ text: screen, rows: screen, footer: () => ['> typing'] })
    for (const event of SAMPLE_TURN) view.onEvent(event)
    view.close()
    expect(terminal.lines()).toEqual(FINAL_SCREEN)
  })

  it('removes escapes from streamed text, also when they arrive in pieces', () => {
    const events = ['a\u001b', '[2', 'Jb\u202ec'].map((delta) => textDelta('top', 2, delta))
    expect(onTerminal([turnStart('top', 1), ...events])).toEqual(['abc'])
  })
})

describe('a turn view in a pipe', () => {
  it('writes each line once, and only when it cannot change any more', () => {
    let text = ''
    const screen = createScreen({ write: (more) => (text += more) }, env)
    const view = watch({ text: screen, rows: screen })
    for (const event of SAMPLE_TURN.slice(0, 15)) view.onEvent(event)
    expect(text).not.toContain('notes helper')
    for (const event of SAMPLE_TURN.slice(15)) view.onEvent(event)
    expect(text).toContain('Ask notes helper')
    expect(text.match(/Read note/g)).toHaveLength(1)
    expect(text).toContain('Let me look.\n\n')
    expect(text).not.toContain('\u001b')
  })

  it('writes text and timeline to different streams', () => {
    let written = ''
    let done = ''
    const view = watch({
      text: createScreen({ write: (more) => (written += more) }, env),
      rows: createScreen({ write: (more) => (done += more) }, env),
    })
    for (const event of SAMPLE_TURN) view.onEvent(event)
    expect(written).toBe('Let me look.\n\nAll found.\n')
    expect(done).not.toContain('All found.')
    expect(done).toContain('Done')
  })
})

describe('a turn view at the end of a turn', () => {
  it('prints a final text that was not streamed', () => {
    const events = [
      turnStart('top', 1),
      iterationStart('top', 2),
      textDelta('top', 3, 'Trying.'),
      toolStart('top', 4, 'a', 'Try'),
      toolEnd('top', 5, 'a', 1),
      turnEnd('top', 6, ending({ type: 'halted', guard: 'same-call', text: 'I tried three times.' })),
    ]
    expect(onTerminal(events).slice(0, 5)).toEqual([
      'Trying.',
      '',
      '  ✓ Try                                        1 ms',
      '',
      'I tried three times.',
    ])
  })

  it('does not repeat a final text that was streamed', () => {
    const events = [
      turnStart('top', 1),
      iterationStart('top', 2),
      textDelta('top', 3, 'Half of it is\ndone.'),
      turnEnd('top', 6, ending({ type: 'capped', text: 'Half of it is done.' })),
    ]
    expect(onTerminal(events).filter((line) => line.includes('done.'))).toHaveLength(1)
  })

  it('prints the cause of a failure once, in the summary', () => {
    const outcome = ending({
      type: 'failed',
      failure: EXPIRED,
      text: 'The sign-in has expired. Reconnect the account.',
    })
    const lines = onTerminal([turnStart('top', 1), turnEnd('top', 2, outcome)])
    expect(lines.filter((line) => line.includes('expired'))).toEqual(['    Why: The sign-in has expired.'])
  })
})
