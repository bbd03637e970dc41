import type {
  TriggerDetail,
  TriggerExampleList,
  TriggerPage,
  TriggerRow,
  TriggerSettings,
  TriggerSource,
  TriggerSourceCreated,
  TriggerSourceList,
} from '@capstan/protocol'
import { JOB_STATUSES, TRIGGER_ACTIONS, TRIGGER_SOURCE_KINDS } from '@capstan/protocol'
import { z } from 'zod'
import { count, failure, milliseconds, threadId } from './common.ts'
import { describes } from './describes.ts'

const action = z.enum(TRIGGER_ACTIONS)
const quietHours = z.strictObject({
  from: z.string().max(5),
  to: z.string().max(5),
  timeZone: z.string().max(60),
})
const amounts = z.strictObject({ usd: z.number().min(0), runs: count })
const budget = z.strictObject({ usd: z.number().min(0).max(1_000), runs: count.max(10_000) })

export const triggerSettings = describes<TriggerSettings>()(
  z.strictObject({ isOff: z.boolean(), model: z.string() }),
)

export const triggerSource = describes<TriggerSource>()(
  z.strictObject({
    id: z.string(),
    kind: z.enum(TRIGGER_SOURCE_KINDS),
    name: z.string(),
    path: z.string().optional(),
    connectionId: z.string().optional(),
    rule: z.string(),
    isOff: z.boolean(),
    quietHours: quietHours.nullable(),
    budget: amounts,
    threadId: threadId.nullable(),
    createdAt: milliseconds,
    examples: count,
    used: amounts,
  }),
).meta({ id: 'TriggerSource' })

export const sourceList = describes<TriggerSourceList>()(
  z.strictObject({
    settings: triggerSettings,
    sources: z.array(triggerSource),
    calls: z.array(z.strictObject({ sourceId: z.string(), lastAt: milliseconds, decidedToday: count })),
  }),
)
export const exampleList = describes<TriggerExampleList>()(
  z.strictObject({
    examples: z.array(
      z.strictObject({
        triggerId: z.string(),
        label: z.string(),
        payload: z.string(),
        right: action,
        note: z.string().optional(),
        isShown: z.boolean(),
      }),
    ),
  }),
)
export const sourceCreated = describes<TriggerSourceCreated>()(
  z.strictObject({ source: triggerSource, secret: z.string().optional() }),
)

export const sourcePatch = z.strictObject({
  name: z.string().max(200).optional(),
  rule: z.string().max(2_000).optional(),
  isOff: z.boolean().optional(),
  quietHours: quietHours.nullable().optional(),
  budget: budget.optional(),
  threadId: z.string().max(200).nullable().optional(),
})
export const sourcePost = sourcePatch.extend({
  kind: z.enum(TRIGGER_SOURCE_KINDS),
  name: z.string().min(1).max(200),
  secret: z.string().max(500).optional(),
  connectionId: z.string().max(200).optional(),
})

const fields = {
  id: z.string(),
  sourceId: z.string(),
  sourceName: z.string(),
  label: z.string(),
  receivedAt: milliseconds,
  status: z.enum(JOB_STATUSES),
  waitsFor: z.enum(['quiet-hours', 'budget', 'model', 'busy', 'held']).optional(),
  nextAt: milliseconds.optional(),
  decision: z
    .strictObject({
      action,
      reason: z.string(),
      by: z.enum(['first', 'retry', 'fallback', 'switch', 'removed']),
      model: z.string().optional(),
      at: milliseconds,
    })
    .optional(),
  costUsd: z.number(),
  threadId: threadId.optional(),
  outcome: z
    .strictObject({
      type: z.enum(['running', 'waits', 'done', 'capped', 'failed', 'gone']),
      text: z.string().optional(),
    })
    .optional(),
  feedback: z.strictObject({ right: action, note: z.string().optional(), at: milliseconds }).optional(),
  failure: failure.optional(),
}
const triggerRow = describes<TriggerRow>()(z.strictObject(fields)).meta({ id: 'TriggerRow' })
export const triggerDetail = describes<TriggerDetail>()(z.strictObject({ ...fields, payload: z.string() }))
export const triggerPage = describes<TriggerPage>()(
  z.strictObject({ triggers: z.array(triggerRow), next: z.string().optional() }),
)
