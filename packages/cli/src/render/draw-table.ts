import { cutToWidth, displayWidth } from '../terminal/display-width.ts'
import { marksOf } from './draw-timeline.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { Environment, Output, Paint, Style } from '../terminal/style.ts'
import { columnsOf, isTerminal, paint, styleOf } from '../terminal/style.ts'

/** One column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly paint?: (row: Row) => Paint | undefined
  readonly align?: 'right'
  /** Takes the width that the other columns leave, and is cut to it. At most one column. */
  readonly fills?: true
}

const GAP = '  '
const MIN_WIDTH = 8

/**
 * A title line and one line per row. On a terminal every line fits, and columns without space are left out from the
 * right. In a pipe nothing is cut.
 */
export function drawTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { stdout, env }: { readonly stdout: Output; readonly env: Environment },
): readonly string[] {
  const style = styleOf(stdout, env)
  const space = isTerminal(stdout, env) ? columnsOf(stdout) - 1 : Infinity
  const cells = columns.map((column) => rows.map((row) => toPrintableLine(column.cell(row))))
  const widths = fit(
    columns.map(({ title, fills }, index) => ({
      wanted: Math.max(displayWidth(title), ...(cells[index] ?? []).map(displayWidth)),
      fills,
    })),
    space,
  )
  const line = (toCell: (column: Column<Row>, index: number) => { text: string; how: Paint | undefined }) =>
    columns
      .flatMap((column, index) => {
        const width = widths[index]
        if (width === undefined) return []
        const { text, how } = toCell(column, index)
        return [drawCell(text, { width, how, align: column.align, style })]
      })
      .join(GAP)
      .trimEnd()
  return [
    line(({ title }) => ({ text: title, how: 'dim' })),
    ...rows.map((row, number) =>
      line((column, index) => ({ text: cells[index]?.[number] ?? '', how: column.paint?.(row) })),
    ),
  ]
}

/** The width of each column; undefined for a column without space. */
function fit(
  columns: readonly { readonly wanted: number; readonly fills: true | undefined }[],
  space: number,
): readonly (number | undefined)[] {
  const least = columns.map(({ wanted, fills }) => (fills ? Math.min(wanted, MIN_WIDTH) : wanted))
  const shown = columns.map(() => true)
  const used = (): number =>
    least.reduce((sum, width, index) => sum + (shown[index] ? width + GAP.length : 0), -GAP.length)
  for (let index = columns.length - 1; index > 0 && used() > space; index--) {
    if (!columns[index]?.fills) shown[index] = false
  }
  const left = space - used()
  return columns.map(({ wanted, fills }, index) => {
    if (!shown[index]) return undefined
    return fills ? Math.min(wanted, (least[index] ?? 0) + Math.max(0, left)) : wanted
  })
}

function drawCell(
  text: string,
  {
    width,
    how,
    align,
    style,
  }: { width: number; how: Paint | undefined; align: 'right' | undefined; style: Style },
): string {
  const cut = cutToWidth(text, width, marksOf(style).more)
  const blank = ' '.repeat(Math.max(0, width - displayWidth(cut)))
  const painted = how ? paint(style, how, cut) : cut
  return align === 'right' ? blank + painted : painted + blank
}
