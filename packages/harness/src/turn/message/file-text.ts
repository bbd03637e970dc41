import { sizeNote } from '../../text/cut-text.ts'

/** The text of a file in a message or a result, under its name. `left` says what of it is missing. Pure. */
export const fileText = (name: string, text: string, left?: string): string =>
  `\n\n[File ${name}]\n${text}${left === undefined ? '' : `\n[${left}]`}`

/** What is missing of a text that was cut. */
export const sizeLeft = (whole: string, shown: string): string | undefined =>
  whole.length > shown.length ? sizeNote(Buffer.byteLength(whole), shown) : undefined

/** What is missing of a document that was cut. */
export const REST_LEFT = 'the rest was left out'

/** In place of the text of a document without any. */
export const NO_TEXT = '[it holds no text that can be read; its pages may be pictures]'
