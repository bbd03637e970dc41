import { DocumentError, damaged } from './document-error.ts'
import type { TextSink } from './text-sink.ts'

/** The text of a PDF, page by page, until the sink is full. Nothing in it is run or fetched. */
export async function readPdf(bytes: Uint8Array, sink: TextSink): Promise<void> {
  // Large, and needed by few turns.
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, OPTIONS).catch((error: unknown) => {
    throw toProblem(error)
  })
  for (let number = 1; number <= pdf.numPages && !sink.isFull; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    if (number > 1) sink.add('\n\n')
    for (const item of items) if ('str' in item) sink.add(item.hasEOL ? `${item.str}\n` : item.str)
    page.cleanup()
  }
}

const OPTIONS = {
  verbosity: 0,
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  stopAtErrors: false,
}

function toProblem(error: unknown): DocumentError {
  return error instanceof Error && error.name === 'PasswordException'
    ? new DocumentError('invalid_input', 'is protected with a password')
    : damaged()
}
