import type {
  AppName,
  CallId,
  Failure,
  FailureClass,
  ParentCall,
  RunId,
  ThreadId,
  Usage,
} from '@capstan/protocol'
import { FAILURE_CATEGORIES, QUEUE_MODES } from '@capstan/protocol'
import { z } from 'zod'
import { describes } from './describes.ts'

// The protocol's types once more, in a form that can check a value and be written into the OpenAPI document. The compiler
// compares the two (`describes`).

const id = <Id extends string>(): z.ZodType<Id, Id> =>
  z.string().min(1).max(200) as unknown as z.ZodType<Id, Id>

/** Accepts any id: an impossible one is answered like an unknown one. */
export const threadId = id<ThreadId>()

export const runId = id<RunId>()

export const anyId = id<string>()

export const callId = id<CallId>()

export const milliseconds = z.number()

export const queueMode = z.enum(QUEUE_MODES)

/** Of a query: `true` or `false`. Default false. */
export const yesOrNo = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true')

export const count = z.number().int().min(0)

export const failureClass = z.enum(Object.keys(FAILURE_CATEGORIES) as FailureClass[])

export const failure = describes<Failure>()(
  z.strictObject({
    class: failureClass,
    category: z.enum(['transient', 'needs_user', 'declined', 'fixable', 'unknown', 'stopped']),
    cause: z.string(),
    next: z.string(),
    recoverable: z.boolean(),
    retryAfterMs: milliseconds.optional(),
    tries: count.optional(),
    detail: z
      .union([
        z.strictObject({
          kind: z.enum(['agent-halted', 'agent-capped', 'agent-nested']),
          agent: z.string(),
        }),
        z.strictObject({
          kind: z.enum([
            'model-address',
            'model-name',
            'model-key',
            'model-silent',
            'model-host',
            'model-insecure',
            'model-page',
          ]),
        }),
        z.strictObject({
          kind: z.enum(['day-limit', 'month-limit']),
          unit: z.enum(['usd', 'tokens']),
          limit: z.number(),
        }),
        z.strictObject({
          kind: z.enum([
            'empty-reply',
            'limit',
            'done-already',
            'gave-up',
            'images-unsupported',
            'files-unsupported',
            'attachment-too-large',
            'attachment-unreadable',
          ]),
        }),
      ])
      .optional(),
    remedy: z
      .strictObject({
        kind: z.literal('allow-actions'),
        toolkit: z.string(),
        name: z.string(),
        effect: z.enum(['read', 'write', 'admin']),
        action: z.string(),
      })
      .optional(),
    evidence: z.strictObject({ rule: z.string(), fact: z.string().optional() }).optional(),
  }),
).meta({ id: 'Failure' })

export const appName = describes<AppName>()(z.strictObject({ toolkit: z.string(), name: z.string() }))

export const usage = describes<Usage>()(
  z.strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedInputTokens: z.number(),
    cacheWriteTokens: z.number(),
    reasoningTokens: z.number(),
    chargedUsd: z.number(),
    estimated: z.literal(true).optional(),
    estimatedUsd: z.number(),
  }),
).meta({ id: 'Usage' })

export const parentCall = describes<ParentCall>()(z.strictObject({ runId, callId }))

export const waitsFor = z.strictObject({ kind: z.enum(['approval', 'sign-in']), id: z.string() })
