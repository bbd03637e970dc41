import { deflateRawSync } from 'node:zlib'

/** An archive of these parts, as Office files are. */
export function zipOf(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const label = Buffer.from(name)
    const whole = Buffer.from(content as Uint8Array)
    const packed = deflateRawSync(whole)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04_03_4b_50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(label.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02_01_4b_50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(whole.length, 24)
    entry.writeUInt16LE(label.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, label, packed)
    entries.push(entry, label)
    offset += 30 + label.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, directory, end]))
}

/** A Word file with these paragraphs. The text is not escaped: a test may write XML. */
export const sampleDocx = (...paragraphs: readonly string[]): Uint8Array =>
  zipOf({
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${paragraphs
      .map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`)
      .join('')}</w:body></w:document>`,
  })

/** A PDF with one page for each text. */
export function samplePdf(...pages: readonly string[]): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 12 Tf 20 100 Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 200]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + index * 2} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
  return new TextEncoder().encode(file)
}
