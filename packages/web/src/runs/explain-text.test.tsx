// @vitest-environment jsdom
import type { ExplainKey, ExplainLine, ExplainPart } from '@capstan/protocol'
import { EXPLAIN_KEYS } from '@capstan/protocol'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../i18n/i18n.ts'
import { ExplainText } from './explain-text.tsx'
import { failureOf } from './run.fixture.ts'

afterEach(async () => {
  cleanup()
  await act(() => setLanguage('en'))
})

const line = (parts: readonly ExplainPart[], more: Partial<ExplainLine> = {}): ExplainLine => ({
  depth: 0,
  text: 'English of the server',
  parts,
  ...more,
})

/** What every key needs, whatever it is. */
const VALUES = {
  text: 'words',
  agent: 'researcher',
  at: 1_780_000_000_000,
  ms: 2000,
  count: 2,
  number: 2,
  input: 10,
  output: 5,
  decision: 'deny',
  guard: 'ping-pong',
  before: 9,
  after: 3,
  field: 'tools',
  status: 'done',
  kind: 'usd',
  limit: 2,
  charged: 1,
  estimated: 0,
  class: 'timeout',
}
const partOf = (key: ExplainKey): ExplainPart => {
  const { kind, ...rest } = VALUES
  return { key, values: key === 'notice' ? rest : { ...rest, kind }, failure: failureOf('timeout') }
}

describe('the report of a run', () => {
  it('is in the language of the page', async () => {
    await act(() => setLanguage('de'))
    render(
      <ExplainText
        lines={[
          line([{ key: 'section-cost' }], { kind: 'heading' }),
          line([{ key: 'calls', values: { number: 3 } }, { key: 'can-continue' }], {
            durationMs: 1500,
            time: '1.5 s',
          }),
        ]}
      />,
    )
    expect(screen.getByText('Aufrufe: 3 · Es kann fortgesetzt werden.')).toBeTruthy()
    expect(screen.getByRole('list').textContent).toContain('1,5')
    expect(document.body.textContent).not.toContain('English of the server')
  })

  it.each(EXPLAIN_KEYS)('has words for %s', (key) => {
    const { container } = render(<ExplainText lines={[line([partOf(key)])]} />)
    const shown = container.querySelector('li')?.textContent ?? ''
    expect(shown).not.toBe('')
    expect(shown).not.toMatch(/undefined|NaN|\{\{/)
  })

  it('leaves out a line that the one above says, and shows the words of an older server', () => {
    const { text, depth } = line([])
    render(<ExplainText lines={[line([]), { depth, text }]} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(screen.getByText('English of the server')).toBeTruthy()
  })
})
