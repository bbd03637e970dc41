import { describe, expect, it } from 'vitest'
import { sampleDocx, samplePdf, zipOf } from '../testing/sample-documents.ts'
import type { DocumentKind } from './document-kind.ts'
import { documentKind } from './document-kind.ts'
import { readDocument } from './read-document.ts'

const never = new AbortController().signal
const read = (
  kind: DocumentKind,
  bytes: Uint8Array,
  { maxChars = 50_000, maxMs = 60_000, signal = never } = {},
) => readDocument({ kind, bytes, maxChars, maxMs }, signal)
const rels = (...targets: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`

describe('the kind of a file', () => {
  it.each([
    ['application/pdf', undefined, 'pdf'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'x', 'docx'],
    ['application/octet-stream', 'Plan.XLSX', 'xlsx'],
    ['application/zip', 'deck.pptx', 'pptx'],
    ['image/png', 'deck.pptx', undefined],
    ['application/octet-stream', 'data.bin', undefined],
    ['constructor', undefined, undefined],
  ])('%s with the name %s is %s', (mediaType, name, kind) => {
    expect(documentKind(mediaType, name)).toBe(kind)
  })
})

describe('the text of a file', () => {
  it('is read from a PDF, page by page', async () => {
    expect(await read('pdf', samplePdf('First page', 'Second (page)'))).toEqual({
      text: 'First page\n\nSecond (page)',
      isCut: false,
    })
  })

  it('is read from a Word file, with its tables, and each text once', async () => {
    const body =
      'a &amp; b &#x1F600;</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>' +
      '<w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl><mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>' +
      '<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent><w:p><w:r><w:t>end'
    const result = await read('docx', sampleDocx('Title', body))
    expect(result).toEqual({ text: 'Title\na & b 😀\nx \ty \t\nbox\nend', isCut: false })
  })

  it('is read from a spreadsheet: sheets, shared texts, gaps, dates', async () => {
    const book = zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Q1" sheetId="1" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': rels(['rId1', 'worksheet', 'worksheets/sheet1.xml']),
      'xl/sharedStrings.xml':
        '<sst><si><t>Name</t></si><si><r><t>Be</t></r><r><t>rlin</t></r><rPh><t>no</t></rPh></si></sst>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
        '<row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2"><f>1+1</f><v>2</v></c><c r="C2" t="inlineStr"><is><t>in</t></is></c>' +
        '<c r="D2" t="b"><v>1</v></c></row></sheetData></worksheet>',
    })
    expect(await read('xlsx', book)).toEqual({
      text: '[Sheet Q1]\nName\t\tBerlin\n2023-03-15\t2\tin\tTRUE',
      isCut: false,
    })
  })

  it('is read from a presentation in the order of its slides, with notes', async () => {
    const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`
    const deck = zipOf({
      'ppt/presentation.xml':
        '<p><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p>',
      'ppt/_rels/presentation.xml.rels': rels(
        ['a', 'slide', 'slides/slide1.xml'],
        ['b', 'slide', '/ppt/slides/slide2.xml'],
      ),
      'ppt/slides/slide1.xml': slide('later'),
      'ppt/slides/slide2.xml': slide('first'),
      'ppt/slides/_rels/slide2.xml.rels': rels(['n', 'notesSlide', '../notesSlides/notesSlide1.xml']),
      'ppt/notesSlides/notesSlide1.xml': slide('say hello'),
    })
    expect(await read('pptx', deck)).toEqual({
      text: '[Slide 1]\nfirst\n[Notes]\nsay hello\n\n[Slide 2]\nlater',
      isCut: false,
    })
  })

  it('ends at the limit of characters, at a whole one', async () => {
    const result = await read('docx', sampleDocx(`a${'😀'.repeat(50)}`), { maxChars: 10 })
    expect(result).toEqual({ text: `a${'😀'.repeat(4)}`, isCut: true })
    expect(await read('pdf', samplePdf('x'.repeat(40)), { maxChars: 10 })).toEqual({
      text: 'x'.repeat(10),
      isCut: true,
    })
  })
})

describe('a file that is refused', () => {
  const bomb = () => zipOf({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) })
  const manyParts = () =>
    zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, ''])))
  const locked = () => {
    const bytes = sampleDocx('x')
    bytes[Buffer.from(bytes).indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 8] = 1
    return bytes
  }
  it.each([
    ['a zip bomb', bomb, 'too_large', 'unpacked'],
    ['too many parts', manyParts, 'too_large', 'too many parts'],
    [
      'a document type',
      () => sampleDocx('x</w:t><!DOCTYPE a [<!ENTITY b "c">]><w:t>'),
      'invalid_input',
      'document type',
    ],
    ['a password', locked, 'invalid_input', 'password'],
    ['XML without an end', () => zipOf({ 'word/document.xml': '<w:t a="' }), 'invalid_input', 'damaged'],
    ['no Word file', () => zipOf({ 'a.txt': 'x' }), 'invalid_input', 'damaged'],
    ['no archive', () => new Uint8Array(100), 'invalid_input', 'damaged'],
    ['nothing', () => new Uint8Array(), 'invalid_input', 'damaged'],
    ['an archive that was cut', () => sampleDocx('x').slice(40), 'invalid_input', 'damaged'],
  ])('says why: %s', async (_, bytes, failureClass, words) => {
    const result = await read('docx', bytes())
    expect(result).toEqual({ class: failureClass, problem: expect.stringContaining(words) })
  })

  it('says why for a PDF that is none', async () => {
    expect(await read('pdf', new TextEncoder().encode('no pdf'))).toMatchObject({ class: 'invalid_input' })
  })

  it('is too large when it takes too long, and holds up no other file', async () => {
    expect(await read('pdf', samplePdf('x'), { maxMs: 1 })).toMatchObject({ class: 'too_large' })
    expect(await read('docx', sampleDocx('x'))).toMatchObject({ text: 'x' })
  })

  it('is given up when the turn is stopped', async () => {
    const stop = new AbortController()
    const reading = read('pdf', samplePdf('x'), { signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
  })
})
