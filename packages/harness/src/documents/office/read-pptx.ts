import { damaged } from '../document-error.ts'
import type { TextSink } from '../text-sink.ts'
import type { Zip } from './open-zip.ts'
import { relationsOf } from './relations.ts'
import { scanXml } from './scan-xml.ts'

const MAIN = 'ppt/presentation.xml'

/** The text of a presentation: its slides in their order, each with its notes. */
export function readPptx(zip: Zip, sink: TextSink): void {
  slidesOf(zip).forEach((slide, index) => {
    if (sink.isFull) return
    sink.add(`${index === 0 ? '' : '\n'}[Slide ${index + 1}]\n`)
    readPart(zip.read(slide) ?? '', sink)
    const notes = relationsOf(zip, slide).find(({ type }) => type === 'notesSlide')
    if (!notes) return
    sink.add('[Notes]\n')
    readPart(zip.read(notes.part) ?? '', sink)
  })
}

function slidesOf(zip: Zip): readonly string[] {
  const main = zip.read(MAIN)
  if (main === undefined) throw damaged()
  const parts = new Map(relationsOf(zip, MAIN).map(({ id, part }) => [id, part]))
  const slides: string[] = []
  scanXml(main, {
    open(name, attribute) {
      // It has two ids: its own number, and the one of the relation.
      const part = name === 'sldId' ? parts.get(attribute('r:id') ?? '') : undefined
      if (part !== undefined) slides.push(part)
    },
  })
  return slides
}

function readPart(xml: string, sink: TextSink): void {
  let isText = false
  scanXml(xml, {
    isDone: () => sink.isFull,
    open(name) {
      if (name === 't') isText = true
      if (name === 'br') sink.add('\n')
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'p') sink.add('\n')
    },
    text(text) {
      if (isText) sink.add(text)
    },
  })
}
