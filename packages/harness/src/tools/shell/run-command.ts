import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import type { ConfinedStart } from '../../ports/sandbox.ts'
import type { Clock } from '../../turn/clock.ts'
import { signalGroup, unwatchExit, watchExit } from '../process-group.ts'
import { ClippedText } from './clipped-text.ts'

/** How to run a command. */
export interface CommandRun {
  /** What is started, and how it is confined. */
  readonly start: ConfinedStart
  /** How much of the output is kept, beginning and end. */
  readonly maxChars: number
  readonly timeoutMs?: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** How a command ended. */
export interface CommandEnd {
  /** 128 plus the number of the signal when one ended it, as in a shell. */
  readonly exitCode: number
  readonly output: string
  readonly outputBytes: number
  readonly stoppedBy?: 'abort' | 'timeout'
  /** What the sandbox refused it, in words. */
  readonly refusal?: string
}

const KILL_AFTER_MS = 2_000
// Something that left the group may hold the output open for ever.
const DRAIN_MS = 1_000

/**
 * Runs a confined program in a process group of its own, with its input closed. When it ends, or is stopped, nothing of
 * the group stays behind. Rejects when it could not be started.
 */
export function runCommand({ start, maxChars, timeoutMs, clock, signal }: CommandRun): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(start.command, start.args, {
      ...(start.cwd === undefined ? undefined : { cwd: start.cwd }),
      env: start.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const output = collectOutput(child, maxChars)
    let stoppedBy: CommandEnd['stoppedBy']
    let disarmKill = () => {}
    let disarmDrain = () => {}
    const stop = (reason: NonNullable<CommandEnd['stoppedBy']>): void => {
      stoppedBy ??= reason
      signalGroup(child, 'SIGTERM')
      disarmKill()
      disarmKill = clock.after(KILL_AFTER_MS, () => signalGroup(child, 'SIGKILL'))
    }
    const onAbort = (): void => stop('abort')
    const disarmTimeout = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => stop('timeout'))
    const settle = (): void => {
      for (const disarm of [disarmTimeout, disarmKill, disarmDrain]) disarm()
      signal.removeEventListener('abort', onAbort)
      unwatchExit(child)
      start.release()
    }
    watchExit(child)
    child.once('spawn', () => start.watch(child.pid!))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('exit', () => {
      signalGroup(child, 'SIGKILL')
      disarmDrain = clock.after(DRAIN_MS, () => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      })
    })
    child.once('close', (code, endedBy) => {
      const printed = output()
      const refusal = start.explain(printed.output)
      settle()
      const exitCode = code ?? 128 + (endedBy ? constants.signals[endedBy] : 0)
      resolve({
        exitCode,
        ...printed,
        ...(stoppedBy ? { stoppedBy } : undefined),
        ...(refusal === undefined ? undefined : { refusal }),
      })
    })
  })
}

function collectOutput(child: ChildProcess, maxChars: number): () => { output: string; outputBytes: number } {
  const text = new ClippedText(maxChars)
  let outputBytes = 0
  // Each stream has its own, because their pieces arrive mixed and characters may be cut.
  const decoders = [child.stdout, child.stderr].map((stream) => {
    const decoder = new StringDecoder('utf8')
    stream?.on('data', (chunk: Buffer) => {
      outputBytes += chunk.length
      text.add(decoder.write(chunk))
    })
    stream?.on('error', () => {})
    return decoder
  })
  return () => {
    for (const decoder of decoders) text.add(decoder.end())
    return { output: text.toString(), outputBytes }
  }
}
