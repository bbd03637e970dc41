import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { LargeOutputReport } from '../testing/measure-large-output.ts'

const PROGRAM = fileURLToPath(new URL('../testing/measure-large-output.ts', import.meta.url))

async function measure(kind: 'text' | 'lines'): Promise<LargeOutputReport> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', PROGRAM, kind])
  return JSON.parse(stdout) as LargeOutputReport
}

describe('an output of 100 MB', () => {
  it.each(['text', 'lines'] as const)(
    'takes less than 64 MB beyond what its tool holds: %s',
    async (kind) => {
      const { ok, outputBytes, shownBytes, peakBytes } = await measure(kind)
      expect(ok).toBe(true)
      expect(outputBytes).toBe(100_000_000)
      expect(shownBytes).toBeLessThanOrEqual(16 * 1024)
      expect(peakBytes).toBeLessThan(64 * 1024 * 1024)
    },
    30_000,
  )
})
