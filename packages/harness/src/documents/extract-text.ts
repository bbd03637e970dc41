import { damaged, DocumentError } from './document-error.ts'
import type { DocumentProblem } from './document-error.ts'
import type { DocumentKind } from './document-kind.ts'
import { openZip } from './office/open-zip.ts'
import { readDocx } from './office/read-docx.ts'
import { readPptx } from './office/read-pptx.ts'
import { readXlsx } from './office/read-xlsx.ts'
import { readPdf } from './read-pdf.ts'
import { TextSink } from './text-sink.ts'

/** A file to read. */
export interface DocumentRequest {
  readonly kind: DocumentKind
  readonly bytes: Uint8Array
  readonly maxChars: number
}

/** The text of a file, or why there is none. */
export type DocumentText = { readonly text: string; readonly isCut: boolean } | DocumentProblem

/** Reads the text of a file. Works on the calling thread and may take long: use `readDocument`. */
export async function extractText({ kind, bytes, maxChars }: DocumentRequest): Promise<DocumentText> {
  const sink = new TextSink(maxChars)
  try {
    if (kind === 'pdf') await readPdf(bytes, sink)
    else OFFICE[kind](openZip(bytes), sink)
    return { text: sink.text, isCut: sink.isFull }
  } catch (error) {
    const { class: failureClass, message } = error instanceof DocumentError ? error : damaged()
    return { class: failureClass, problem: message }
  }
}

const OFFICE = { docx: readDocx, xlsx: readXlsx, pptx: readPptx }
