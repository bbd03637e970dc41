import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Transport } from '@modelcontextprotocol/client'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client'
import type { StdioServer } from '../servers/server-config.ts'

const INHERITED = ['PATH', 'HOME', 'LANG']
const INHERITED_ON_WINDOWS = ['PATH', 'PATHEXT', 'SYSTEMROOT', 'COMSPEC', 'USERPROFILE', 'APPDATA', 'TEMP']
const STDERR_CHARS = 4_096
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024

export interface StdioTransport extends Transport {
  readonly pid: number | undefined
  /** The last of what the program printed for people. Never read as protocol. */
  readonly stderr: string
  /** Whether the child keeps this process alive: while somebody waits for it, and at no other time. */
  hold(isHeld: boolean): void
}

export interface StdioTransportOptions {
  /** Between closing its input, asking it to stop, and killing it. Default 2 seconds each. */
  readonly graceMs?: number
}

/** A child that is still there when this process ends goes with it. */
const living = new Set<ChildProcess>()

function endAll(): void {
  for (const child of living) signalGroup(child, 'SIGTERM')
}

/**
 * A program on this machine, spoken with over its input and output. It gets little of our environment, does not keep us
 * alive, and is in a process group of its own so that what it started goes with it.
 */
export function createStdioTransport(
  { command, args = [], env = {}, cwd }: StdioServer,
  { graceMs = 2_000 }: StdioTransportOptions = {},
): StdioTransport {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })
  let child: ChildProcess | undefined
  let printed = ''
  let isHeld = true
  let closing: Promise<void> | undefined

  const transport: StdioTransport = {
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(command, args, {
          env: { ...inheritedEnv(), ...env },
          stdio: ['pipe', 'pipe', 'pipe'],
          shell: false,
          detached: process.platform !== 'win32',
          windowsHide: true,
          ...(cwd === undefined ? undefined : { cwd }),
        })
        child = started
        if (living.size === 0) process.on('exit', endAll)
        living.add(started)
        started.once('spawn', () => {
          applyHold()
          resolve()
        })
        started.once('error', (error) => {
          forget(started)
          reject(error)
        })
        // 'exit' and not 'close': a grandchild may hold the pipes open for ever.
        started.once('exit', () => {
          forget(started)
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
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        const stdin = child?.stdin
        if (!stdin?.writable)
          return reject(Object.assign(new Error('the program has ended'), { code: 'EPIPE' }))
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      }),
    close: () => (closing ??= stop()),
    hold(held) {
      isHeld = held
      applyHold()
    },
    get pid() {
      return child?.pid
    },
    get stderr() {
      return printed
    },
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
        report(error as Error) // a line that is no message is left out
      }
    }
  }

  function applyHold(): void {
    if (!child) return
    const method = isHeld ? 'ref' : 'unref'
    child[method]()
    for (const pipe of [child.stdin, child.stdout, child.stderr]) (pipe as Socket | null)?.[method]()
  }

  async function stop(): Promise<void> {
    const ending = child
    if (!ending) return
    const ended = new Promise<void>((resolve) => {
      if (ending.exitCode !== null || ending.signalCode !== null || !living.has(ending)) resolve()
      else ending.once('exit', () => resolve())
    })
    ending.stdin?.end()
    if (await settledWithin(ended, graceMs)) return
    signalGroup(ending, 'SIGTERM')
    if (await settledWithin(ended, graceMs)) return
    signalGroup(ending, 'SIGKILL')
    await settledWithin(ended, graceMs)
  }

  return transport
}

function forget(child: ChildProcess): void {
  living.delete(child)
  if (living.size === 0) process.off('exit', endAll)
}

function settledWithin(work: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It ended by itself.
  }
}

const hasValue = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined

function inheritedEnv(): Record<string, string> {
  const names = process.platform === 'win32' ? INHERITED_ON_WINDOWS : INHERITED
  return Object.fromEntries(names.flatMap((name) => [[name, process.env[name]] as const].filter(hasValue)))
}
