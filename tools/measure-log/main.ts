import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, defineTool } from '@capstan/harness'
import type { ModelClient } from '@capstan/harness'
import { openEmbeddedStore } from '@capstan/stores'

// Runs short turns in one process, each in a thread of its own, and prints how large the write-ahead log became. With
// `--kill` the process ends without closing the store, as after kill -9.
// node tools/measure-log/main.ts [--turns 20000] [--folder <folder>] [--kill]

const USAGE = {
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0,
}
const CALLS = 10

const model: ModelClient = {
  id: 'fixture/looker',
  abilities: { tools: true, images: false, files: [] },
  async stream({ messages }, _signal, onPart) {
    const calls = messages.filter(({ role }) => role === 'tool').length
    await onPart({ type: 'text', delta: 'Looking at the next page. ' })
    if (calls < CALLS)
      await onPart({ type: 'call', id: `call_${calls}`, tool: 'look', argumentsText: `{"page":${calls}}` })
    await onPart({ type: 'finish', reason: calls < CALLS ? 'tool-calls' : 'stop', usage: USAGE })
  },
}
const look = defineTool({
  name: 'look',
  description: 'Reads a page.',
  input: { type: 'object', properties: { page: { type: 'number' } } },
  effect: 'read',
  run: ({ page }) => `Page ${Number(page)}: high water, low water, wind from the west.`,
})

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const turns = Number(option('turns') ?? 20_000)
const given = option('folder')
const folder = given ?? mkdtempSync(join(tmpdir(), 'capstan-log-'))
const megabytes = (suffix: string): number => {
  const { size = 0 } = statSync(join(folder, `capstan.db${suffix}`), { throwIfNoEntry: false }) ?? {}
  return Math.round((size / 2 ** 20) * 10) / 10
}

console.log(`log before opening: ${megabytes('-wal')} MB`)
const store = openEmbeddedStore({ folder })
console.log(`log once open: ${megabytes('-wal')} MB`)
let largest = 0
let slowest = 0
const started = performance.now()
for (let n = 0; n < turns; n++) {
  const at = performance.now()
  const session = createSession({ model, store, tools: [look] })
  await session.send('Look at all pages.')
  slowest = Math.max(slowest, performance.now() - at)
  largest = Math.max(largest, megabytes('-wal'))
}
const ms = performance.now() - started
console.log(
  `${turns} turns of ${CALLS} calls in ${(ms / 1000).toFixed(1)} s: ${(ms / turns).toFixed(2)} ms each, slowest ${slowest.toFixed(0)} ms`,
)
console.log(`log at most: ${largest} MB; at the end: ${megabytes('-wal')} MB; database: ${megabytes('')} MB`)
if (process.argv.includes('--kill')) process.kill(process.pid, 'SIGKILL')
await store.close()
if (given === undefined) rmSync(folder, { recursive: true, force: true })
