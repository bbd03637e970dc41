import { damaged } from '../document-error.ts'
import type { TextSink } from '../text-sink.ts'
import { readDateStyles, toDate } from './date-cells.ts'
import type { Zip } from './open-zip.ts'
import { relationsOf } from './relations.ts'
import type { Attributes } from './scan-xml.ts'
import { scanXml } from './scan-xml.ts'

const MAIN = 'xl/workbook.xml'
/** Empty cells that are shown as such. A wider gap is shown as this one. */
const MAX_GAP = 20

/** The text of a spreadsheet: each sheet with its name, rows as lines, cells apart by tabs. */
export function readXlsx(zip: Zip, sink: TextSink): void {
  const sheets = sheetsOf(zip)
  const strings = readStrings(zip.read('xl/sharedStrings.xml') ?? '')
  const dates = readDateStyles(zip.read('xl/styles.xml') ?? '')
  sheets.forEach(({ name, part }, index) => {
    if (sink.isFull) return
    sink.add(`${index === 0 ? '' : '\n'}[Sheet ${name}]\n`)
    readSheet(zip.read(part) ?? '', { strings, dates, sink })
  })
}

function sheetsOf(zip: Zip): readonly { readonly name: string; readonly part: string }[] {
  const main = zip.read(MAIN)
  if (main === undefined) throw damaged()
  const parts = new Map(relationsOf(zip, MAIN).map(({ id, part }) => [id, part]))
  const sheets: { name: string; part: string }[] = []
  scanXml(main, {
    open(element, attribute) {
      const part = element === 'sheet' ? parts.get(attribute('id') ?? '') : undefined
      if (part !== undefined) sheets.push({ name: attribute('name') ?? '', part })
    },
  })
  return sheets
}

/** The texts that cells refer to by number, without readings in another script. */
function readStrings(xml: string): readonly string[] {
  const strings: string[] = []
  let current = ''
  let isText = false
  let readings = 0
  scanXml(xml, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') readings++
      if (name === 't') isText = readings === 0
    },
    close(name) {
      if (name === 'si') strings.push(current)
      if (name === 'rPh') readings--
      if (name === 't') isText = false
    },
    text(text) {
      if (isText) current += text
    },
  })
  return strings
}

interface Book {
  readonly strings: readonly string[]
  readonly dates: ReadonlySet<number>
  readonly sink: TextSink
}

interface Cell {
  readonly type: string
  readonly style: number
  value: string
}

function readSheet(xml: string, book: Book): void {
  const { sink } = book
  let cell: Cell | undefined
  let isValue = false
  let column = 0 // where the last cell of the row ended
  scanXml(xml, {
    isDone: () => sink.isFull,
    open(name, attribute) {
      if (name === 'row') column = 0
      if (name === 'c') {
        const own = columnOf(attribute('r')) ?? column + 1
        sink.add('\t'.repeat(Math.min(MAX_GAP, Math.max(0, own - Math.max(column, 1)))))
        column = own
        cell = toCell(attribute)
      }
      if (name === 'v' || name === 't') isValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'c' && cell) {
        sink.add(show(cell, book))
        cell = undefined
      }
      if (name === 'row') sink.add('\n')
    },
    text(text) {
      if (isValue && cell) cell.value += text
    },
  })
}

const toCell = (attribute: Attributes): Cell => ({
  type: attribute('t') ?? 'n',
  style: Number(attribute('s') ?? -1),
  value: '',
})

function show({ type, style, value }: Cell, { strings, dates }: Book): string {
  if (type === 's') return oneLine(strings[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'n' && dates.has(style)) return toDate(Number(value)) ?? value
  return oneLine(value)
}

const oneLine = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ')

/** The number of the column in a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}
