import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { columnsOf } from '../terminal/style.ts'
import type { Shell } from '../shell/shell.ts'

/** The line a person is typing. While it is hidden it is edited all the same, and somebody else draws it. */
export interface LineEditor {
  /** What has been typed and not yet sent. */
  readonly typed: string
  /** Shows the prompt, with what was typed meanwhile behind it. */
  show(): void
  hide(): void
  clear(): void
  close(): void
}

export interface LineListeners {
  readonly onLine: (line: string) => void
  /** A key was pressed while the line is hidden. */
  readonly onKey: () => void
  readonly onInterrupt: () => void
  /** There is nothing more to come. */
  readonly onEnd: () => void
}

export const PROMPT = '> '

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
