import { Worker } from 'node:worker_threads'
import { answerOfWorker } from '../turn/answer-of-worker.ts'
import { workerAddress } from '../turn/own-files.ts'
import type { DocumentRequest, DocumentText } from './extract-text.ts'

/** Threads that read files at the same time in this process. */
const MAX_AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

/**
 * Reads the text of a file in a thread of its own, so that a file that is made to take long holds up nobody. A file that
 * takes longer than `maxMs`, or more memory than it may, is too large. Rejects only with the reason of `signal`.
 */
export async function readDocument(
  request: DocumentRequest & { readonly maxMs: number },
  signal: AbortSignal,
): Promise<DocumentText> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    signal.throwIfAborted()
    return await readInThread(request, signal)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function readInThread(
  { maxMs, ...request }: DocumentRequest & { readonly maxMs: number },
  signal: AbortSignal,
): Promise<DocumentText> {
  const worker = new Worker(workerAddress('documents/document-worker'), {
    name: 'read-document',
    workerData: request,
    // It needs nothing of this process: no secrets, no flags, nowhere to print.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  try {
    return await answerOfWorker<DocumentText>(worker, AbortSignal.any([signal, AbortSignal.timeout(maxMs)]))
  } catch {
    signal.throwIfAborted()
    return { class: 'too_large', problem: 'takes too long or too much memory to read' }
  } finally {
    await worker.terminate()
  }
}
