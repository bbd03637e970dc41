import type { TurnOutcome } from '@capstan/protocol'
import { z } from 'zod'
import { callId, count, failure, runId, usage } from './common.ts'
import { describes } from './describes.ts'

const cap = z.strictObject({
  kind: z.enum(['iterations', 'tokens', 'usd', 'wall-clock']),
  limit: z.number(),
})

const openCall = z.strictObject({ runId, callId, tool: z.string() })

const outcomeFacts = {
  text: z.string(),
  usage,
  iterations: count,
  openCalls: z.array(openCall).readonly().optional(),
}

export const turnOutcome = describes<TurnOutcome>()(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('done'),
      cut: z.literal('length').optional(),
      output: z.unknown().optional(),
      ...outcomeFacts,
    }),
    z.strictObject({
      type: z.literal('halted'),
      guard: z.string(),
      tool: z.string().optional(),
      count: count.optional(),
      failure: failure.optional(),
      ...outcomeFacts,
    }),
    z.strictObject({
      type: z.literal('capped'),
      cap,
      resumeToken: z.string().optional(),
      ...outcomeFacts,
    }),
    z.strictObject({
      type: z.literal('needs-input'),
      callId,
      resumeToken: z.string().optional(),
      ...outcomeFacts,
    }),
    z.strictObject({ type: z.literal('failed'), failure, cap: cap.optional(), ...outcomeFacts }),
    z.strictObject({ type: z.literal('aborted'), ...outcomeFacts }),
  ]),
).meta({ id: 'TurnOutcome' })
