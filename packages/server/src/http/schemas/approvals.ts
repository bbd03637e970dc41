import type {
  AnswerReceipt,
  ApprovalList,
  ApprovalPost,
  ApprovalReceipt,
  ApprovalRow,
  ExactArguments,
} from '@capstan/protocol'
import { z } from 'zod'
import { callId, milliseconds, runId, threadId } from './common.ts'
import { describes } from './describes.ts'
import { grantBinding, grantConstraints, hiddenValue } from './grants.ts'
import { approvalDecision, approvalReason } from './turn-event.ts'

export const approvalPost = describes<ApprovalPost>()(
  z.strictObject({
    decision: z.enum(['allow-once', 'allow-thread', 'allow-hour', 'allow-always', 'deny']),
    constraints: grantConstraints.optional(),
    withHidden: z.literal(true).optional(),
  }),
)

export const approvalReceipt = describes<ApprovalReceipt>()(
  z.strictObject({
    receipt: describes<AnswerReceipt>()(z.enum(['accepted', 'already-answered', 'expired', 'unknown'])),
  }),
)

const approvalRow = describes<ApprovalRow>()(
  z.strictObject({
    id: z.string(),
    threadId,
    runId,
    callId,
    tool: z.string(),
    label: z.string(),
    arguments: z.unknown(),
    digest: z.string(),
    binding: grantBinding.optional(),
    limits: z.array(grantConstraints).optional(),
    hidden: z.array(hiddenValue).optional(),
    createdAt: milliseconds,
    expiresAt: milliseconds,
    reason: approvalReason.optional(),
    decision: approvalDecision.optional(),
    decidedAt: milliseconds.optional(),
  }),
).meta({ id: 'ApprovalRow' })

export const exactArguments = describes<ExactArguments>()(z.strictObject({ arguments: z.unknown() }))

export const approvalList = describes<ApprovalList>()(z.strictObject({ approvals: z.array(approvalRow) }))
