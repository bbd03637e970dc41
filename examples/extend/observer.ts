// An observer receives each fact of a turn once, before the fact is announced. This one measures what every tool costs.
import { createSession, defineTool } from '@capstan/harness'
import type { TurnObserver } from '@capstan/harness/seams'
import { ScriptedModel, calls, callsMany, says } from '@capstan/harness/testing'
import { z } from 'zod'

function createToolStatistics() {
  const rows = new Map<string, { calls: number; failed: number; bytes: number }>()
  let tokens = 0
  const observer: TurnObserver = {
    usageCounted(_run, usage) {
      tokens += usage.inputTokens + usage.outputTokens
    },
    callFinished(_run, { result }) {
      const row = rows.get(result.tool) ?? { calls: 0, failed: 0, bytes: 0 }
      row.calls++
      row.bytes += result.outputBytes
      if (!result.ok) row.failed++
      rows.set(result.tool, row)
    },
    turnEnded(run, outcome) {
      if (run.depth > 0) return // a sub-agent; its numbers are part of the turn's
      console.log(`${outcome.type} after ${outcome.iterations} iterations and ${tokens} tokens`)
      for (const [tool, row] of rows)
        console.log(`${tool}: ${row.calls} calls, ${row.failed} failed, ${row.bytes} bytes`)
    },
  }
  return observer
}

const readPage = defineTool({
  name: 'read_page',
  description: 'Reads a page of the handbook.',
  input: z.object({ page: z.number() }),
  effect: 'read',
  run({ page }) {
    if (page > 2) throw new Error(`There is no page ${page}.`)
    return `Page ${page} is about anchors.`
  },
})

const model = new ScriptedModel(
  callsMany([
    { tool: 'read_page', args: { page: 1 } },
    { tool: 'read_page', args: { page: 2 } },
  ]),
  calls('read_page', { page: 3 }),
  says('The handbook is about anchors.'),
)
const session = createSession({ model, tools: [readPage], observers: [createToolStatistics()] })
await session.send('What is the handbook about?')
