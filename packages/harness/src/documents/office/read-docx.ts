import { damaged } from '../document-error.ts'
import type { TextSink } from '../text-sink.ts'
import type { Zip } from './open-zip.ts'
import { scanXml } from './scan-xml.ts'

/** The text of a Word file: paragraphs as lines, table cells apart by tabs, then its footnotes. */
export function readDocx(zip: Zip, sink: TextSink): void {
  const body = zip.read('word/document.xml')
  if (body === undefined) throw damaged()
  readPart(body, sink)
  for (const notes of ['word/footnotes.xml', 'word/endnotes.xml']) readPart(zip.read(notes) ?? '', sink)
}

function readPart(xml: string, sink: TextSink): void {
  let isText = false
  let cells = 0
  let fallbacks = 0 // the same content again, for older programs
  scanXml(xml, {
    isDone: () => sink.isFull,
    open(name) {
      if (name === 'Fallback') fallbacks++
      if (fallbacks > 0) return
      if (name === 't') isText = true
      if (name === 'tc') cells++
      if (name === 'tab') sink.add('\t')
      if (name === 'br' || name === 'cr') sink.add('\n')
    },
    close(name) {
      if (name === 'Fallback') fallbacks--
      if (name === 't') isText = false
      if (fallbacks > 0) return
      if (name === 'p') sink.add(cells > 0 ? ' ' : '\n')
      if (name === 'tc') {
        cells--
        sink.add('\t')
      }
      if (name === 'tr') sink.add('\n')
    },
    text(text) {
      if (isText && fallbacks === 0) sink.add(text)
    },
  })
}
