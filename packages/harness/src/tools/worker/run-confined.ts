import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfinedStart, Sandbox, SandboxFolder, SandboxNetwork } from '../../ports/sandbox.ts'
import { SandboxError } from '../../ports/sandbox.ts'
import { PACKAGE_FOLDER, workerAddress } from '../../turn/own-files.ts'
import { signalGroup, unwatchExit, watchExit } from '../process-group.ts'
import { ClippedText } from '../shell/clipped-text.ts'
import type { WorkerAnswer, WorkerTask } from './answer.ts'
import { readAnswer } from './read-answer.ts'

/** What a confined worker may reach and use. */
export interface WorkerConfinement {
  readonly sandbox: Sandbox | undefined
  /** Beside the folder of its module. */
  readonly folders: readonly SandboxFolder[]
  readonly network: SandboxNetwork
  readonly maxOldGenerationSizeMb: number
  readonly signal: AbortSignal
}

const MAX_ANSWER_CHARS = 64 * 1024 * 1024
const STDERR_CHARS = 4_000
// What Node itself needs, and buffers, which are not part of its heap.
const BESIDE_HEAP_MB = 512
const CHILD = fileURLToPath(workerAddress('tools/worker/child'))
/** The package with our own code, which the worker runs in. */
const HARNESS = fileURLToPath(PACKAGE_FOLDER)

/**
 * Runs one call in a process of its own, confined. Rejects with a `SandboxError` when it cannot be confined, and with the
 * reason of `signal` once it was aborted and the process has ended.
 */
export async function runConfined(task: WorkerTask, confinement: WorkerConfinement): Promise<WorkerAnswer> {
  const start = await confine(task, confinement)
  const { signal } = confinement
  try {
    signal.throwIfAborted()
    const { answered, printed, exitCode } = await runProcess(start, JSON.stringify(task), signal)
    signal.throwIfAborted()
    const answer = readAnswer(answered)
    if (!answer) throw noAnswer(printed, exitCode, start.explain(printed))
    if (answer.type !== 'thrown') return answer
    const refusal = start.explain(answer.message)
    return refusal === undefined ? answer : { ...answer, message: `${answer.message} ${refusal}` }
  } finally {
    start.release()
  }
}

function confine(
  { module }: WorkerTask,
  { sandbox, folders, network, maxOldGenerationSizeMb, signal }: WorkerConfinement,
): Promise<ConfinedStart> {
  if (!sandbox)
    throw new SandboxError(
      'unavailable',
      'Worker code runs only in a sandbox, and none was given to this tool. Code of the program itself can be marked as trusted.',
    )
  const own = [dirname(fileURLToPath(module)), HARNESS].map((path) => ({
    path: realpathSync(path),
    access: 'read' as const,
  }))
  return sandbox.confine({
    command: process.execPath,
    args: [`--max-old-space-size=${maxOldGenerationSizeMb}`, '--disable-warning=ExperimentalWarning', CHILD],
    profile: {
      folders: [...own, ...folders],
      network,
      env: {},
      limits: { memoryMb: maxOldGenerationSizeMb + BESIDE_HEAP_MB },
    },
    changedIn: 'the definition of this tool',
    signal,
  })
}

interface ProcessEnd {
  readonly answered: string
  readonly printed: string
  readonly exitCode: number | undefined
}

function runProcess(start: ConfinedStart, input: string, signal: AbortSignal): Promise<ProcessEnd> {
  const { command, args, env, cwd } = start
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? undefined : { cwd }),
    })
    const printed = new ClippedText(STDERR_CHARS)
    let answered = ''
    const kill = (): void => signalGroup(child, 'SIGKILL')
    const settle = (): void => {
      signal.removeEventListener('abort', kill)
      unwatchExit(child)
    }
    watchExit(child)
    signal.addEventListener('abort', kill, { once: true })
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      answered += piece
      if (answered.length > MAX_ANSWER_CHARS) kill()
    })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => printed.add(piece))
    child.stdin.on('error', () => {}) // it ended before it read its call
    child.stdin.end(input)
    child.once('spawn', () => start.watch(child.pid!))
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    // What it has started may hold the output open.
    child.once('exit', kill)
    child.once('close', (code) => {
      settle()
      resolve({ answered, printed: printed.toString(), exitCode: code ?? undefined })
    })
  })
}

function noAnswer(printed: string, exitCode: number | undefined, refusal: string | undefined): Error {
  const isTooLarge = printed.includes('heap out of memory')
  const what = isTooLarge ? 'the tool used too much memory' : 'the tool ended its process without an answer'
  const message = [what, refusal, isTooLarge ? '' : printed.trim()].filter(Boolean).join('\n')
  return Object.assign(new Error(message), {
    ...(exitCode === undefined ? undefined : { exitCode }),
    ...(isTooLarge ? { code: 'ERR_WORKER_OUT_OF_MEMORY' } : undefined),
  })
}
