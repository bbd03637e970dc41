// A guard notices a loop without progress. This one ends a turn that buys the same thing too often.
import { createSession, defineTool } from '@capstan/harness'
import type { Guard } from '@capstan/harness/seams'
import { createDefaultGuards } from '@capstan/harness/seams'
import { ScriptedModel, calls } from '@capstan/harness/testing'
import { z } from 'zod'

/** Warns the model one call before the limit, and ends the turn at it. */
function createCallLimit(tool: string, limit: number): Guard {
  let count = 0
  return {
    name: 'call-limit',
    afterCall({ call, result }) {
      if (call.tool !== tool || !result.ok) return undefined
      count++
      if (count === limit - 1) return { action: 'nudge', text: `Only one more call of ${tool} is allowed.` }
      if (count < limit) return undefined
      return {
        action: 'halt',
        text: `I stopped: ${tool} was called ${count} times. Tell me if you want more.`,
      }
    },
    reset() {
      count = 0
    },
  }
}

const orderCoffee = defineTool({
  name: 'order_coffee',
  description: 'Orders coffee.',
  input: z.object({ cups: z.number() }),
  effect: 'write',
  run: ({ cups }) => `Ordered ${cups} cups.`,
})

const model = new ScriptedModel(
  ...[1, 2, 3, 4].map((cups) => calls('order_coffee', { cups })), // the fourth is never asked for
)
const session = createSession({
  model,
  tools: [orderCoffee],
  guards: () => [...createDefaultGuards(), createCallLimit('order_coffee', 3)], // fresh ones for each run
  safety: { mode: 'full' },
})
for await (const event of session.stream('Order coffee for everybody.')) {
  if (event.type === 'tool-end') console.log(`${event.tool}: ${event.output}`)
  if (event.type === 'guard-nudge') console.log(`nudge: ${event.text}`)
  if (event.type === 'turn-end') console.log(`${event.outcome.type}: ${event.outcome.text}`)
}
