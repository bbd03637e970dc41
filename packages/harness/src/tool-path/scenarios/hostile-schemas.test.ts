import type { CallId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { collectGarbage, createTestPath, longestBlockMs, stubTool } from '../../testing/index.ts'
import { runToolCall } from '../run-tool-call.ts'
import type { HostileCase } from './hostile-schemas.fixture.ts'
import { createHostileCase } from './hostile-schemas.fixture.ts'

/**
 * `HOSTILE_CASES=5000 npx vitest run --project parts …/hostile-schemas.test.ts` runs all of them, and `HOSTILE_SEED=…`
 * others.
 */
const CASES = Number(process.env['HOSTILE_CASES'] ?? 300)
const FIRST_SEED = Number(process.env['HOSTILE_SEED'] ?? 0)
const MAX_BLOCK_MS = 50
const MAX_GROWTH_BYTES = 64 * 1024 * 1024

/** A busy machine makes a process slow for a while: what is slow by itself is slow every time. */
const ATTEMPTS = 6

async function call({ input, args, answer }: HostileCase): Promise<string> {
  const path = createTestPath([stubTool('act', () => answer, { input, isThirdParty: true })])
  const result = await runToolCall({ id: 'call-1' as CallId, tool: 'act', arguments: args }, path)
  return result.text
}

it(
  `${CASES} hostile schemas, arguments and answers neither hold the event loop nor the memory`,
  async () => {
    await call(createHostileCase(7)) // what is loaded at the first call does not count
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const slow: string[] = []
    const longest = new Map<string, number>()
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      const hostile = createHostileCase(seed)
      let blockMs = Infinity
      for (let attempt = 0; attempt < ATTEMPTS && blockMs > MAX_BLOCK_MS; attempt++) {
        // A copy, because a schema is prepared once. Garbage of the generator does not belong to the call.
        const copy = { ...hostile, input: { ...hostile.input } }
        collectGarbage()
        const work = async () => expect(await call(copy)).not.toBe('')
        blockMs = Math.min(blockMs, await longestBlockMs(work))
      }
      longest.set(hostile.kind, Math.max(longest.get(hostile.kind) ?? 0, blockMs))
      if (blockMs > MAX_BLOCK_MS) slow.push(`${hostile.kind} (seed ${seed}): ${blockMs.toFixed(0)} ms`)
    }
    collectGarbage()
    const growth = process.memoryUsage().heapUsed - before
    console.log(
      [...longest].map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`).join(', '),
      `heap +${(growth / 1_048_576).toFixed(1)} MB`,
    )
    expect(slow).toEqual([])
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
    expect('polluted' in {}).toBe(false)
  },
  Math.max(600_000, CASES * 500),
)
