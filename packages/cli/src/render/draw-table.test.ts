import { describe, expect, it } from 'vitest'
import { displayWidth } from '../terminal/display-width.ts'
import type { Column } from './draw-table.ts'
import { drawTable } from './draw-table.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly cost: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TITLE', cell: ({ title }) => title, fills: true },
  { title: 'COST', cell: ({ cost }) => cost, align: 'right' },
]
const ROWS: readonly Row[] = [
  { id: 'a1', title: 'Short', cost: '$1' },
  { id: 'b22', title: 'A title that goes on and on, 猫も好き, and does not end', cost: '$10.00' },
]

const draw = (columns: number | undefined, rows = ROWS) =>
  drawTable(rows, COLUMNS, {
    stdout: { isTTY: columns !== undefined, ...(columns === undefined ? {} : { columns }), write: () => {} },
    env: { LANG: 'C.UTF-8', NO_COLOR: '1' },
  })

describe('drawTable', () => {
  it('makes columns as wide as their content', () => {
    expect(draw(undefined, ROWS.slice(0, 1))).toEqual(['ID  TITLE  COST', 'a1  Short    $1'])
  })

  it.each([120, 80, 40, 30])('fits a terminal of %d columns', (columns) => {
    for (const line of draw(columns)) expect(displayWidth(line)).toBeLessThan(columns)
  })

  it('cuts the filling column on a terminal, and nothing in a pipe', () => {
    expect(draw(40)[2]).toMatch(/^b22 {2}A title that.*… +\$10\.00$/)
    expect(draw(undefined)[2]).toContain('and does not end')
  })

  it('leaves out the last columns where there is no space', () => {
    expect(draw(16)[0]).toBe('ID   TITLE')
  })

  it('keeps each cell on one line, without control characters', () => {
    const [, line] = draw(80, [{ id: 'x', title: 'two\nlines\u001b[2J', cost: '' }])
    expect(line).toBe('x   two lines')
  })
})
