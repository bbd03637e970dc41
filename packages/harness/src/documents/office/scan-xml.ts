import { damaged, DocumentError } from '../document-error.ts'

/** Called for what is found, in its order. Names come without their prefix. */
export interface XmlHandler {
  /** True ends the scan. */
  isDone?(): boolean
  open?(name: string, attributes: Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** The value of an attribute: by its name without prefix, or by the whole name when that has one. */
export type Attributes = (name: string) => string | undefined

/**
 * Walks through XML once, without a tree, in time that grows with its length. It declares nothing and resolves nothing: a
 * document type, and with it every entity of its own, is refused. Throws `DocumentError`.
 */
export function scanXml(xml: string, handler: XmlHandler): void {
  let at = 0
  while (at < xml.length && !handler.isDone?.()) {
    const tag = xml.indexOf('<', at)
    if (tag !== at) handler.text?.(decode(xml.slice(at, tag < 0 ? undefined : tag)))
    if (tag < 0) return
    at =
      xml[tag + 1] === '!' || xml[tag + 1] === '?'
        ? skipSpecial(xml, tag, handler)
        : readTag(xml, tag, handler)
  }
}

function readTag(xml: string, start: number, handler: XmlHandler): number {
  const end = findTagEnd(xml, start)
  const isClose = xml[start + 1] === '/'
  const isEmpty = xml[end - 1] === '/'
  const inside = xml.slice(start + (isClose ? 2 : 1), isEmpty ? end - 1 : end)
  const name = localName(/^[^\s/]*/.exec(inside)![0])
  if (!isClose) handler.open?.(name, (wanted) => findAttribute(inside, wanted))
  if (isClose || isEmpty) handler.close?.(name)
  return end + 1
}

/** The `>` that ends a tag: not one inside of a quoted value. */
function findTagEnd(xml: string, start: number): number {
  for (let at = start + 1; at < xml.length; at++) {
    const letter = xml[at]
    if (letter === '>') return at
    if (letter !== '"' && letter !== "'") continue
    at = xml.indexOf(letter, at + 1)
    if (at < 0) break
  }
  throw damaged()
}

function skipSpecial(xml: string, start: number, handler: XmlHandler): number {
  const [opening, closing] = SPECIAL.find(([mark]) => xml.startsWith(mark, start)) ?? []
  if (opening === undefined || closing === undefined)
    throw new DocumentError('invalid_input', 'declares a document type, which is not read')
  const end = xml.indexOf(closing, start + opening.length)
  if (end < 0) throw damaged()
  if (opening === CDATA) handler.text?.(xml.slice(start + opening.length, end))
  return end + closing.length
}

const CDATA = '<![CDATA['
const SPECIAL = [
  ['<!--', '-->'],
  [CDATA, ']]>'],
  ['<?', '?>'],
] as const

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function findAttribute(tag: string, wanted: string): string | undefined {
  for (const [, name, inDouble, inSingle] of tag.matchAll(
    /(?<![^\s=/"'])([^\s=/"']{1,200})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (name === wanted || localName(name!) === wanted) return decode(inDouble ?? inSingle!)
  }
  return undefined
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi,
    (found, decimal, hex, name) => {
      if (name !== undefined) return NAMED[(name as string).toLowerCase()]!
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : found
    },
  )
}
