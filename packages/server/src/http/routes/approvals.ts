import type { StoredApproval } from '@capstan/harness'
import type { ApprovalRow } from '@capstan/protocol'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { approvalList, approvalPost, approvalReceipt } from '../schemas/approvals.ts'
import { anyId } from '../schemas/common.ts'

const listApprovals = defineRoute({
  method: 'GET',
  path: '/api/approvals',
  summary: 'What waits for a yes or a no.',
  answer: approvalList,
  handle: async ({ threads }) => ({ approvals: (await threads.pendingApprovals()).map(toRow) }),
})

const answerApproval = defineRoute({
  method: 'POST',
  path: '/api/approvals/:approvalId',
  summary: 'Answers. The first answer counts; a second one hears that there was one.',
  params: { approvalId: anyId },
  body: approvalPost,
  example: { decision: 'deny' },
  answer: approvalReceipt,
  async handle({ threads, params, body }) {
    const receipt = await threads.answer(params.approvalId, body.decision)
    if (receipt === 'unknown') throw notFound()
    return { receipt }
  },
})

const listAlwaysAllowed = defineRoute({
  method: 'GET',
  path: '/api/always-allowed',
  summary: 'Tools the user is not asked about any more.',
  answer: z.strictObject({ tools: z.array(z.string()) }),
  handle: async ({ assistant, caller }) => ({
    tools: [...(await assistant.store.approvals.listAlwaysAllowed(caller.userId))],
  }),
})

const forgetAlwaysAllowed = defineRoute({
  method: 'DELETE',
  path: '/api/always-allowed/:tool',
  summary: 'The user is asked about this tool again.',
  params: { tool: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.store.approvals.forgetAlwaysAllowed(caller.userId, params.tool))) throw notFound()
  },
})

/** Without what only the harness may know. */
function toRow(approval: StoredApproval): ApprovalRow {
  const { isIntact: _, signature: __, ...row } = approval
  return row
}

export const APPROVAL_ROUTES = [listApprovals, answerApproval, listAlwaysAllowed, forgetAlwaysAllowed]
