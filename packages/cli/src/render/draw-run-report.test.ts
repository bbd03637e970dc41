import { describe, expect, it } from 'vitest'
import type { ReportLine } from '@capstan/harness/ledger'
import { drawRunReport } from './draw-run-report.ts'

const STYLE = { width: 40, colour: false, unicode: true }
const REPORT: readonly ReportLine[] = [
  { kind: 'heading', depth: 0, text: 'What was asked' },
  { kind: 'fact', depth: 0, text: 'Something that is longer than the line it stands on' },
  { kind: 'heading', depth: 0, text: 'What happened' },
  { kind: 'step', depth: 0, text: 'Step 1', time: '12 ms' },
  { kind: 'ok', depth: 0, text: 'Ask notes helper', time: '1.2 s' },
  { kind: 'failed', depth: 1, text: 'Read note: one with a very long title' },
  { kind: 'reason', depth: 1, text: 'Why: it is gone\u001b[2J' },
  { kind: 'fact', depth: 1, text: 'of which notes helper' },
]

describe('drawRunReport', () => {
  it('draws headings apart, marks in front, times at the right and sub-agents below a guide', () => {
    expect(drawRunReport(REPORT, STYLE)).toEqual([
      'What was asked',
      '  Something that is longer than the line',
      '  it stands on',
      '',
      'What happened',
      '  → Step 1                         12 ms',
      '  ✓ Ask notes helper               1.2 s',
      '  │ ✗ Read note: one with a very long',
      '  │   title',
      '  │   Why: it is gone',
      '    of which notes helper',
    ])
  })

  it('draws only ASCII where Unicode cannot be shown', () => {
    const lines = drawRunReport(REPORT, { ...STYLE, unicode: false })
    // oxlint-disable-next-line no-control-regex
    expect(lines.join('\n')).toMatch(/^[\u0000-\u007f]*$/)
  })
})
