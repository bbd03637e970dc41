import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { columnsOf } from '../terminal/style.ts'
import type { Shell } from '../shell/shell.ts'

/** The line that a user types. It can be edited while it is hidden; its text is then drawn by the caller. */
export interface LineEditor {
  /** The text that was typed and not sent. */
  readonly typed: string
  /** Shows the prompt and the typed text. */
  show(): void
  hide(): void
  clear(): void
  close(): void
}

/** Callbacks of a line editor. */
export interface LineListeners {
  readonly onLine: (line: string) => void
  /** A key was pressed while the line is hidden. */
  readonly onKey: () => void
  readonly onInterrupt: () => void
  /** The input has ended. */
  readonly onEnd: () => void
}

/** The text in front of a line of the user. */
export const PROMPT = '> '

/** Reads lines from a terminal. */
export function createLineEditor({ stdin, stdout }: Shell, listeners: LineListeners): LineEditor {
  let hidden = true
  const echo = new Writable({
    write(chunk: Buffer, _encoding, written) {
      if (!hidden) stdout.write(chunk.toString('utf8'))
      written()
    },
  })
  Object.defineProperty(echo, 'columns', { get: () => columnsOf(stdout) })
  const editor = createInterface({ input: stdin, output: echo, terminal: true, prompt: PROMPT })
  editor.on('line', listeners.onLine)
  editor.on('SIGINT', listeners.onInterrupt)
  editor.on('close', listeners.onEnd)
  const onKey = () => {
    if (hidden) listeners.onKey()
  }
  stdin.on('keypress', onKey)
  return {
    get typed() {
      return editor.line
    },
    show() {
      hidden = false
      editor.prompt(true)
    },
    hide() {
      hidden = true
    },
    clear() {
      editor.write(null, { ctrl: true, name: 'e' })
      editor.write(null, { ctrl: true, name: 'u' })
    },
    close() {
      stdin.off('keypress', onKey)
      editor.close()
    },
  }
}
