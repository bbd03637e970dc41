import { PassThrough } from 'node:stream'
import type { Shell } from '../shell/shell.ts'
import type { Environment, Output } from '../terminal/style.ts'

/** A shell that records its output. */
export interface FakeShell extends Shell {
  readonly stdin: PassThrough & { readonly isTTY?: boolean }
  readonly out: () => string
  readonly err: () => string
  readonly exits: readonly number[]
  /** Presses Ctrl-C. */
  readonly interrupt: () => void
  /** Sends the request to terminate. */
  readonly terminate: () => void
  /** Settles when the text has been written to standard output. */
  readonly waitForOutput: (text: string) => Promise<void>
}

/** How a fake shell starts. */
export interface FakeShellOptions {
  readonly env?: Environment
  readonly stdin?: string
  /** Makes standard input and output a terminal. */
  readonly terminal?: boolean
}

/** Creates a shell for tests. */
export function createFakeShell({ env = {}, stdin, terminal = false }: FakeShellOptions = {}): FakeShell {
  const stdout = createRecorder(terminal)
  const stderr = createRecorder(terminal)
  const interrupts = new Set<() => void>()
  const terminations = new Set<() => void>()
  const exits: number[] = []
  const input = Object.assign(new PassThrough(), terminal ? { isTTY: true, setRawMode: () => {} } : {})
  if (stdin !== undefined) input.end(stdin)
  return {
    env: { LANG: 'C.UTF-8', ...env },
    stdin: input,
    stdout,
    stderr,
    out: stdout.text,
    err: stderr.text,
    exits,
    waitForOutput: stdout.waitForOutput,
    interrupt() {
      for (const listener of interrupts) listener()
    },
    terminate() {
      for (const listener of terminations) listener()
    },
    onTerminate(listener) {
      terminations.add(listener)
      return () => terminations.delete(listener)
    },
    exit: (code) => void exits.push(code),
    onInterrupt(listener) {
      interrupts.add(listener)
      return () => interrupts.delete(listener)
    },
  }
}

interface Recorder extends Output {
  readonly text: () => string
  readonly waitForOutput: (text: string) => Promise<void>
}

function createRecorder(isTTY: boolean): Recorder {
  let written = ''
  let waiting: { readonly words: string; readonly settle: () => void }[] = []
  return {
    isTTY,
    columns: 80,
    rows: 24,
    text: () => written,
    waitForOutput(words) {
      if (written.includes(words)) return Promise.resolve()
      return new Promise((settle) => waiting.push({ words, settle }))
    },
    write(text) {
      written += text
      for (const { settle } of waiting.filter(({ words }) => written.includes(words))) settle()
      waiting = waiting.filter(({ words }) => !written.includes(words))
    },
  }
}
