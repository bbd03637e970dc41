import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallId } from '@capstan/protocol'
import { createFolderArtifacts } from '../ports/artifacts/folder-artifacts.ts'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import { stubTool } from './stub-tool.ts'
import { createTestPath } from './test-path.ts'

// A separate program, because memory is measured per process: node --expose-gc measure-large-output.ts text|lines

/** What the program prints. */
export interface LargeOutputReport {
  readonly ok: boolean
  readonly outputBytes: number
  readonly shownBytes: number
  /** Memory above what the process held before the call. */
  readonly peakBytes: number
}

const LINES = 10_000_000

async function* lines() {
  for (let n = 0; n < LINES; n++) yield 'some line\n'
}

// A flat string from the start: the result of `repeat` is flattened on first access, which would grow the memory.
const toText = () => Buffer.alloc(LINES * 10, 'some line\n').toString('latin1')

async function measure(kind: string | undefined): Promise<LargeOutputReport> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-large-'))
  try {
    const text = kind === 'text' ? toText() : ''
    const store = createFolderArtifacts(folder)
    let peak = 0
    const look = () => (peak = Math.max(peak, process.memoryUsage.rss()))
    const artifacts: ArtifactStore = {
      ...store,
      create(name) {
        const writer = store.create(name)
        return { ...writer, write: (piece) => (look(), writer.write(piece)) }
      },
    }
    const output = stubTool('talk', () => (kind === 'text' ? text : lines()))
    const warmUp = stubTool('warm_up', () => 'some line\n'.repeat(100_000))
    const path = createTestPath([output, warmUp], { safety: { artifacts } })
    const call = (tool: string) => runToolCall({ id: `call_${tool}` as CallId, tool, arguments: {} }, path)
    await call('warm_up')
    // Twice: memory freed in the first round is returned in the background.
    for (let round = 0; round < 2; round++) {
      globalThis.gc?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const before = process.memoryUsage.rss()
    peak = before
    const result = await call('talk')
    look()
    return {
      ok: result.ok,
      outputBytes: result.outputBytes,
      shownBytes: Buffer.byteLength(result.text),
      peakBytes: peak - before,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

process.stdout.write(JSON.stringify(await measure(process.argv[2])))
