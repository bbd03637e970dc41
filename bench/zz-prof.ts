import { openEmbeddedStore } from '@capstan/stores'
import { createSession, defineTool, createMemoryStore } from '@capstan/harness'
import { mkdtempSync } from 'node:fs'
const N = Number(process.argv[2] ?? 200), TURNS = Number(process.argv[3] ?? 30), KIND = process.argv[4] ?? 'sqlite'
const store = KIND === 'sqlite' ? openEmbeddedStore({ folder: mkdtempSync('/tmp/prof/s') }) : createMemoryStore()
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, chargedUsd: 0, estimatedUsd: 0 }
let i = 0
const model: any = { id: 'fake/m', abilities: { tools: true, images: false, files: [], contextWindow: undefined }, async stream(_r: any, _s: any, on: any) {
  if (i++ % (N + 1) === N) { on({ type: 'text', delta: 'Done.' }); on({ type: 'finish', reason: 'stop', usage }); return }
  on({ type: 'call', id: `c${i}`, tool: 'look', argumentsText: `{"i":${i}}` }); on({ type: 'finish', reason: 'tool-calls', usage })
} }
const tool = defineTool({ name: 'look', description: 'looks', input: { type: 'object', properties: { i: { type: 'number' } } }, effect: 'read', run: ({ i }) => `result ${i} is fine` })
const ts: number[] = []
for (let t = 0; t < TURNS; t++) {
  const s = createSession({ model, store, tools: [tool], limits: { maxIterations: 500 }, budget: { iterations: 500 }, guards: undefined as never, onEvent() {} })
  await s.load()
  const a = performance.now()
  const o = await s.send('go')
  if (o.type !== 'done') throw new Error(o.type + o.text)
  ts.push(((performance.now() - a) * 1000) / N)
}
ts.sort((x, y) => x - y)
console.log(KIND, N, 'median', ts[TURNS >> 1]!.toFixed(1), 'min', ts[0]!.toFixed(1))
process.exit(0)
