import type { ChildProcess } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { ConfinedStart, Sandbox } from '@capstan/harness/sandbox'
import { SandboxError } from '@capstan/harness/sandbox'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client'
import type { StdioServer } from '../servers/server-config.ts'
import type { MessageLine } from './message-lines.ts'
import { createMessageLines } from './message-lines.ts'
import { MessageTooLarge, tooLargeAnswer } from './message-meter.ts'
import { PrintedText } from './printed-text.ts'
import { setHeld, spawnServer, stopProcess } from './server-process.ts'

/** The number of the request that a message answers. */
const ANSWERED = /"id"\s{0,8}:\s{0,8}(\d{1,15})/

export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  /** What the program printed to stderr, both ends. Never read as protocol. */
  readonly stderr: PrintedText
  /** How the program ended by itself, in words. */
  readonly ending: string | undefined
  /** What the sandbox refused it, in words. `text` is an error that it answered with. */
  explainRefusal(text: string): string | undefined
  /** Whether the child keeps this process alive. Set while a caller waits for the child. */
  hold(isHeld: boolean): void
}

export interface StdioTransportOptions {
  /** Confines the program. Without one it is not started. */
  readonly sandbox: Sandbox | undefined
  /** Between closing its input, asking it to stop, and killing it. Default 2 seconds each. */
  readonly graceMs?: number
}

/** Exchanges messages with a confined program on this machine over its input and output. */
export function createStdioTransport(
  server: StdioServer,
  { sandbox, graceMs = 2_000 }: StdioTransportOptions,
): StdioTransport {
  const linesOf = createMessageLines()
  const aborted = new AbortController()
  let child: ChildProcess | undefined
  let confined: ConfinedStart | undefined
  const printed = new PrintedText()
  let ending: string | undefined
  let isHeld = true
  let closing: Promise<void> | undefined

  async function start(): Promise<void> {
    const launch = await confine(server, sandbox, aborted.signal)
    if (aborted.signal.aborted) {
      launch.release()
      throw aborted.signal.reason
    }
    confined = launch
    const started = spawnServer(launch)
    child = started
    started.once('error', () => launch.release())
    // 'exit' and not 'close': a grandchild may hold the pipes open for ever.
    started.once('exit', (code, signal) => {
      if (!aborted.signal.aborted) ending = describeEnding(code, signal)
      launch.release()
      setImmediate(() => {
        child = undefined
        transport.onclose?.()
      })
    })
    started.stdin.on('error', report)
    started.stdout.on('error', report)
    started.stderr.on('error', () => {})
    started.stdout.on('data', read)
    started.stderr.setEncoding('utf8').on('data', (piece: string) => printed.add(piece))
    return new Promise((resolve, reject) => {
      started.once('error', reject)
      started.once('spawn', () => {
        launch.watch(started.pid!)
        setHeld(started, isHeld)
        resolve()
      })
    })
  }

  const report = (error: Error) => transport.onerror?.(error)

  function read(piece: Buffer): void {
    for (const line of linesOf(piece)) {
      try {
        transport.onmessage?.(readLine(line))
      } catch (error) {
        if (!(error instanceof SyntaxError)) report(error as Error) // a line that is no JSON is skipped
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
    close() {
      aborted.abort()
      return (closing ??= child ? stopProcess(child, graceMs) : Promise.resolve())
    },
    explainRefusal: (text) => confined?.explain(`${printed.toString()}\n${text}`),
    hold(held) {
      isHeld = held
      if (child) setHeld(child, isHeld)
    },
    get pid() {
      return child?.pid
    },
    stderr: printed,
    get ending() {
      return ending
    },
  }
  return transport
}

const SIGNALLED = 128

/** A signal inside of a sandbox becomes an exit code above 128. */
function describeEnding(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `Its program was ended by ${signal}.`
  if (code !== null && code > SIGNALLED) return `Its program was ended (exit code ${code}).`
  return `Its program ended with exit code ${code}.`
}

function readLine(line: MessageLine): JSONRPCMessage {
  if ('text' in line) return deserializeMessage(line.text)
  const id = ANSWERED.exec(line.tooLarge)?.[1]
  if (id === undefined) throw new MessageTooLarge()
  return tooLargeAnswer(Number(id))
}

/** Rejects when there is no sandbox: a program is never started unconfined by accident. */
async function confine(
  { command, args = [], env = {}, cwd, sandbox: profile }: StdioServer,
  sandbox: Sandbox | undefined,
  signal: AbortSignal,
): Promise<ConfinedStart> {
  if (!sandbox)
    throw new SandboxError(
      'unavailable',
      'Programs run only in a sandbox, and none was given to this connector.',
    )
  const suggested = profile ? [] : sandbox.suggestFolders(command, args)
  const own = profile || cwd === undefined ? [] : [{ path: realpathSync(cwd), access: 'write' as const }]
  return sandbox.confine({
    command,
    args,
    ...(cwd === undefined ? undefined : { cwd }),
    profile: { folders: [...suggested, ...own], network: 'off', ...profile, env },
    changedIn: 'the settings of this server',
    signal,
  })
}
