// oxlint-disable unicorn/require-post-message-target-origin -- a worker's port is not a window
import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentRequest } from './extract-text.ts'
import { extractText } from './extract-text.ts'

parentPort!.postMessage(await extractText(workerData as DocumentRequest))
