import type { ChildProcess } from 'node:child_process'
import type { Transport } from '@modelcontextprotocol/client'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client'
import type { StdioServer } from '../servers/server-config.ts'
import { setHeld, spawnServer, stopProcess } from './server-process.ts'

const STDERR_CHARS = 4_096
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024

export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  /** The end of what the program printed to stderr. Never read as protocol. */
  readonly stderr: string
  /** Whether the child keeps this process alive. Set while a caller waits for the child. */
  hold(isHeld: boolean): void
}

export interface StdioTransportOptions {
  /** Between closing its input, asking it to stop, and killing it. Default 2 seconds each. */
  readonly graceMs?: number
}

/** Exchanges messages with a program on this machine over its input and output. */
export function createStdioTransport(
  server: StdioServer,
  { graceMs = 2_000 }: StdioTransportOptions = {},
): StdioTransport {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
  let child: ChildProcess | undefined
  let printed = ''
  let isHeld = true
  let closing: Promise<void> | undefined

  async function start(): Promise<void> {
    const started = spawnServer(server)
    child = started
    // 'exit' and not 'close': a grandchild may hold the pipes open for ever.
    started.once('exit', () => {
      setImmediate(() => {
        child = undefined
        transport.onclose?.()
      })
    })
    started.stdin.on('error', report)
    started.stdout.on('error', report)
    started.stderr.on('error', () => {})
    started.stdout.on('data', read)
    started.stderr.setEncoding('utf8').on('data', (piece: string) => {
      printed = (printed + piece).slice(-STDERR_CHARS)
    })
    return new Promise((resolve, reject) => {
      started.once('error', reject)
      started.once('spawn', () => {
        setHeld(started, isHeld)
        resolve()
      })
    })
  }

  const report = (error: Error) => transport.onerror?.(error)

  function read(piece: Buffer): void {
    try {
      buffer.append(piece)
    } catch (error) {
      report(error as Error) // a message without an end
      void transport.close()
      return
    }
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (error) {
        report(error as Error) // a line that is no message is skipped
      }
    }
  }

  const transport: StdioTransport = {
    start,
    send: (message) =>
      new Promise((resolve, reject) => {
        const stdin = child?.stdin
        if (!stdin?.writable)
          return reject(Object.assign(new Error('the program has ended'), { code: 'EPIPE' }))
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      }),
    close: () => (closing ??= child ? stopProcess(child, graceMs) : Promise.resolve()),
    hold(held) {
      isHeld = held
      if (child) setHeld(child, isHeld)
    },
    get pid() {
      return child?.pid
    },
    get stderr() {
      return printed
    },
  }
  return transport
}
