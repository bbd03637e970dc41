import { scanXml } from './scan-xml.ts'

/** The formats of dates and times that every spreadsheet knows. */
const isBuiltIn = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)

const MAX_FORMAT_CHARS = 255

/** Whether a format has a letter of a date outside of quotes, brackets and escapes. */
const isDateFormat = (format: string): boolean =>
  format.length <= MAX_FORMAT_CHARS && /[dmyhs]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

/** The numbers of the cell styles that show a number as a date. */
export function readDateStyles(xml: string): ReadonlySet<number> {
  const formats = new Set<number>()
  const styles = new Set<number>()
  let isCellStyle = false
  let index = 0
  scanXml(xml, {
    open(name, attribute) {
      const id = Number(attribute('numFmtId') ?? -1)
      if (name === 'numFmt' && isDateFormat(attribute('formatCode') ?? '')) formats.add(id)
      if (name === 'cellXfs') isCellStyle = true
      if (name !== 'xf' || !isCellStyle) return
      if (isBuiltIn(id) || formats.has(id)) styles.add(index)
      index++
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return styles
}

const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet. It counts a 29 February 1900 that never was. */
const FIRST_DAY = Date.UTC(1899, 11, 30)

/** A day number as a date, with its time when it has one. Undefined when it is none. */
export function toDate(days: number): string | undefined {
  const date = new Date(FIRST_DAY + Math.round((days * DAY_MS) / 1000) * 1000)
  if (!(days >= 0) || Number.isNaN(date.getTime())) return undefined
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  if (days < 1) return time
  return Number.isInteger(days) ? day : `${day} ${time}`
}
