import type {
  ApprovalDecision,
  ApprovalReason,
  AttachmentRef,
  NoticeFact,
  TurnEvent,
} from '@capstan/protocol'
import { z } from 'zod'
import {
  appName,
  callId,
  count,
  failure,
  milliseconds,
  parentCall,
  runId,
  threadId,
  usage,
  waitsFor,
} from './common.ts'
import { describes } from './describes.ts'
import { grantConstraints, hiddenValue } from './grants.ts'
import { turnOutcome } from './turn-outcome.ts'

export const approvalReason = describes<ApprovalReason>()(
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('data-flow'),
      sources: z.array(
        z.strictObject({ tool: z.string(), app: z.string().optional(), name: z.string().optional() }),
      ),
      destinations: z.array(z.string()),
    }),
    z.strictObject({ kind: z.literal('repeat') }),
  ]),
)

export const approvalDecision = describes<ApprovalDecision>()(
  z.enum(['allow-once', 'allow-thread', 'allow-hour', 'allow-always', 'deny', 'expired', 'withdrawn']),
)

const attachmentRef = describes<AttachmentRef>()(
  z.strictObject({ ref: z.string().optional(), mediaType: z.string(), name: z.string().optional() }),
)

const noticeFact = describes<NoticeFact>()(
  z.strictObject({
    kind: z.enum([
      'app-connected',
      'app-disconnected',
      'app-accounts-changed',
      'apps-available',
      'tool-added',
      'tool-removed',
      'agent-ended',
      'spending-day',
      'spending-month',
    ]),
    name: z.string(),
    slug: z.string().optional(),
  }),
)

const envelope = { threadId, runId, seq: count, at: milliseconds }

const inIteration = { ...envelope, iteration: count }

export const turnEvent = describes<TurnEvent>()(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('turn-start'),
      ...envelope,
      agent: z.string(),
      depth: count,
      model: z.string(),
      missingModel: z.string().optional(),
      parent: parentCall.optional(),
      text: z.string(),
      messageId: z.string().optional(),
      messageIds: z.array(z.string()).optional(),
      attachments: z.array(attachmentRef).optional(),
    }),
    z.strictObject({ type: z.literal('turn-park'), ...envelope, waitsFor: z.array(waitsFor) }),
    z.strictObject({ type: z.literal('turn-resume'), ...inIteration }),
    z.strictObject({ type: z.literal('iteration-start'), ...inIteration, maxIterations: z.number() }),
    z.strictObject({ type: z.literal('text-delta'), ...inIteration, delta: z.string() }),
    z.strictObject({ type: z.literal('reasoning-delta'), ...inIteration, delta: z.string() }),
    z.strictObject({
      type: z.literal('tool-args-delta'),
      ...inIteration,
      callId,
      tool: z.string(),
      delta: z.string(),
    }),
    z.strictObject({
      type: z.literal('tool-start'),
      ...inIteration,
      callId,
      tool: z.string(),
      arguments: z.unknown(),
      label: z.string(),
      detail: z.string().optional(),
      app: appName.optional(),
    }),
    z.strictObject({
      type: z.literal('tool-end'),
      ...inIteration,
      callId,
      tool: z.string(),
      ok: z.boolean(),
      output: z.string(),
      outputBytes: count,
      durationMs: milliseconds,
      failure: failure.optional(),
    }),
    z.strictObject({
      type: z.literal('approval-request'),
      ...inIteration,
      approvalId: z.string(),
      callId,
      tool: z.string(),
      label: z.string(),
      agent: z.string().optional(),
      arguments: z.unknown(),
      effect: z.enum(['read', 'write', 'admin']).optional(),
      app: appName.optional(),
      limits: z.array(grantConstraints).optional(),
      hidden: z.array(hiddenValue).optional(),
      digest: z.string(),
      expiresAt: milliseconds,
      reason: approvalReason.optional(),
    }),
    z.strictObject({
      type: z.literal('approval-answer'),
      ...inIteration,
      approvalId: z.string(),
      decision: approvalDecision,
    }),
    z.strictObject({
      type: z.literal('connection-request'),
      ...inIteration,
      callId,
      connectionId: z.string(),
      toolkit: z.string(),
      name: z.string(),
    }),
    z.strictObject({
      type: z.literal('usage-update'),
      ...inIteration,
      model: z.string(),
      call: usage,
      total: usage,
      durationMs: milliseconds,
    }),
    z.strictObject({
      type: z.literal('model-retry'),
      ...inIteration,
      model: z.string(),
      attempt: count,
      delayMs: milliseconds,
      failure,
    }),
    z.strictObject({
      type: z.literal('notice-add'),
      ...inIteration,
      text: z.string(),
      fact: noticeFact.optional(),
    }),
    z.strictObject({
      type: z.literal('model-wait'),
      ...inIteration,
      model: z.string(),
      waitedMs: z.number(),
      limitMs: z.number(),
    }),
    z.strictObject({
      type: z.literal('message-deliver'),
      ...inIteration,
      text: z.string(),
      messageId: z.string().optional(),
    }),
    z.strictObject({
      type: z.literal('guard-nudge'),
      ...inIteration,
      guard: z.string(),
      text: z.string(),
    }),
    z.strictObject({
      type: z.literal('history-compact'),
      ...inIteration,
      tokensBefore: z.number(),
      tokensAfter: z.number(),
      how: z.enum(['summary', 'digest']),
    }),
    z.strictObject({
      type: z.literal('prefix-break'),
      ...inIteration,
      field: z.enum(['tools', 'system', 'history']),
      reason: z.string(),
    }),
    z.strictObject({ type: z.literal('surface-stale'), ...inIteration, reason: z.string() }),
    z.strictObject({ type: z.literal('turn-end'), ...envelope, outcome: turnOutcome }),
  ]),
).meta({ id: 'TurnEvent' })
