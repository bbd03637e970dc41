import { spawn } from 'node:child_process'
import type { ConfinedStart } from '@capstan/harness/sandbox'

const PRINTED_CHARS = 4_000

/** How a program of our own ended. */
export interface ProgramEnd {
  /** Absent when a signal ended it. */
  readonly exitCode: number | undefined
  /** The end of what it printed. */
  readonly printed: string
}

/** Runs a confined program without input until it ends, or is ended. Rejects when it could not be started. */
export function runToEnd(
  start: ConfinedStart,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ProgramEnd> {
  const { command, args, env, cwd } = start
  return new Promise<ProgramEnd>((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? undefined : { cwd }),
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(signal ? { signal } : undefined),
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        printed = (printed + piece).slice(-PRINTED_CHARS)
      })
    child.once('spawn', () => start.watch(child.pid!))
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code ?? undefined, printed }))
  }).finally(() => start.release())
}
