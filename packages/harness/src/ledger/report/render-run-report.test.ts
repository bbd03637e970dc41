import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { explainRun } from './explain-run.ts'
import type { ReportLine } from './render-run-report.ts'
import { renderRunReport } from './render-run-report.ts'
import {
  event,
  iteration,
  message,
  runStart,
  THREAD_ID,
  toolStart,
  TOP,
  TRIP,
  UNREACHABLE,
} from '../thread.fixture.ts'

function render(records: readonly LedgerRecord[]): readonly ReportLine[] {
  const report = explainRun(records, TOP)
  if (!report) throw new Error('no such run')
  return renderRunReport(report)
}

const textOf = (lines: readonly ReportLine[]) =>
  lines.map(
    ({ depth, text, time }) => `${'  '.repeat(depth)}${text}${time === undefined ? '' : ` [${time}]`}`,
  )

describe('renderRunReport', () => {
  it('says every line also in parts, without English sentences of ours', () => {
    const lines = render(TRIP)
    expect(lines.every(({ parts }) => parts !== undefined)).toBe(true)
    const texts = lines.flatMap(({ parts = [] }) => parts).flatMap(({ values }) => values?.['text'] ?? [])
    expect(texts).toEqual(expect.arrayContaining(['What should I pack?', '"I will look."']))
    expect(texts.filter((text) => /It answered|The sign-in|Nothing/.test(String(text)))).toEqual([])
    const silent = lines.filter(({ parts }) => parts?.length === 0).map(({ text }) => text)
    expect(silent).toEqual([expect.stringMatching(/^What to do next/)])
  })

  it('renders the question, the steps, the cost and the ending of a run', () => {
    expect(textOf(render(TRIP))).toEqual([
      'What was asked',
      'What should I pack?',
      'Who did it',
      'The assistant on demo/big, asked from cli',
      '1970-01-01 00:00:01 UTC, took 1.0 s, 2 steps, 3 calls',
      'What happened',
      'Step 1: demo/big, 1,000 tokens in, 20 out [100 ms]',
      'Said: "I will look."',
      'Read calendar (read_calendar): tomorrow [500 ms]',
      'Why: The sign-in has expired.',
      'What to do next: Reconnect the account.',
      'Ask notes helper (delegate_to_notes_helper) [207 ms]',
      '  Sub-agent notes_helper on demo/small: "Look up the list." [198 ms]',
      '  Step 1: demo/small, 300 tokens in, 10 out [100 ms]',
      '  Search notes (search_notes): pack [12 ms]',
      '  Step 2: demo/small, 400 tokens in, 15 out [100 ms]',
      '  Said: "Rain jacket and torch."',
      '  notes_helper: It answered.',
      'Step 2: demo/big, 1,500 tokens in, 30 out [100 ms]',
      'Said: "Take a rain jacket."',
      'What it cost',
      'about $0.0300, 4 model calls, 3,200 tokens in, 75 out',
      '  demo/big: about $0.0300, 2 calls, 2,500 tokens in, 50 out',
      '  demo/small: no cost, 2 calls, 700 tokens in, 25 out',
      '  of which notes_helper (run_child): no cost, 2 calls, 700 tokens in, 25 out',
      'Why it stopped',
      'It answered.',
      'What broke the prompt cache',
      'Nothing: every request extended the one before it.',
      'What failed',
      'bad_credentials, once (read_calendar): The sign-in has expired. Reconnect the account.',
    ])
  })

  it('puts text with line breaks on one line and cuts long quotes', () => {
    const reply = message(1001, TOP, {
      role: 'assistant',
      parts: [{ type: 'text', text: `a\nb ${'x'.repeat(500)}` }],
    })
    const lines = render([runStart(1000, { text: 'two\nlines' }), reply])
    expect(lines.every(({ text }) => !text.includes('\n'))).toBe(true)
    expect(lines.find(({ text }) => text.startsWith('Said'))?.text).toBe(`Said: "a b ${'x'.repeat(196)}…"`)
  })

  it('renders the approval a parked run waits for', () => {
    const asked = { id: 'approval_1', callId: 'c1' as CallId, tool: 'save_note', label: 'Save note' }
    const lines = render([
      runStart(1000),
      iteration(1001, TOP, 1),
      toolStart(1002, TOP, 'c1', 'save_note', 'Save note', 'Bread'),
      {
        type: 'approval-open',
        at: 1003,
        request: {
          ...asked,
          threadId: THREAD_ID,
          runId: TOP,
          arguments: {},
          digest: 'd',
          signature: 's',
          createdAt: 1003,
          expiresAt: 9000,
        },
      },
      { type: 'run-park', at: 1004, runId: TOP, waitsFor: { kind: 'approval', id: 'approval_1' } },
    ])
    expect(textOf(lines)).toEqual(
      expect.arrayContaining([
        'Save note (save_note): Bread',
        'Asked for a yes; no answer yet (approval_1)',
        'Parked until somebody answers',
        'What it waits for',
        'It waits for your yes or no to "Save note" (approval_1).',
      ]),
    )
    expect(lines.find(({ text }) => text.startsWith('Save note'))?.kind).toBe('waiting')
  })

  it('renders prefix breaks, retries, delivered messages and resumes', () => {
    const lines = textOf(
      render([
        runStart(1000),
        event(1001, TOP, { type: 'prefix-break', iteration: 2, field: 'tools', reason: 'a tool was added' }),
        event(1002, TOP, {
          type: 'model-retry',
          iteration: 2,
          model: 'demo/big',
          attempt: 1,
          delayMs: 500,
          failure: UNREACHABLE,
        }),
        event(1003, TOP, { type: 'message-deliver', iteration: 2, text: 'be quick' }),
        { type: 'run-resume', at: 5003, runId: TOP },
      ]),
    )
    expect(lines).toEqual(
      expect.arrayContaining([
        'Step 2: the tools changed. a tool was added',
        'The AI model could not be reached. Attempt 2 came after 500 ms.',
        'You added "be quick"; the model received it.',
        'The process had ended; the run was resumed [4.0 s]',
      ]),
    )
  })
})
