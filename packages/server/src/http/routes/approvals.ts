import type { StoredApproval } from '@capstan/harness/stores'
import type { ApprovalRow } from '@capstan/protocol'
import { z } from 'zod'
import { notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { approvalList, approvalPost, approvalReceipt } from '../schemas/approvals.ts'
import { anyId } from '../schemas/common.ts'

const listApprovals = defineRoute({
  method: 'GET',
  path: '/api/approvals',
  rights: 'user',
  summary: 'Approvals that are not answered yet.',
  answer: approvalList,
  handle: async ({ threads }) => ({ approvals: (await threads.pendingApprovals()).map(toRow) }),
})

const answerApproval = defineRoute({
  method: 'POST',
  path: '/api/approvals/:approvalId',
  rights: 'user',
  summary: 'Answers an approval. Only the first answer counts.',
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
  rights: 'user',
  summary: 'Tools that run without an approval.',
  answer: z.strictObject({ tools: z.array(z.string()) }),
  handle: async ({ assistant, caller }) => ({
    tools: [...(await assistant.store.approvals.listAlwaysAllowed(caller.userId))],
  }),
})

const forgetAlwaysAllowed = defineRoute({
  method: 'DELETE',
  path: '/api/always-allowed/:tool',
  rights: 'user',
  summary: 'Requires an approval for this tool again.',
  params: { tool: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.store.approvals.forgetAlwaysAllowed(caller.userId, params.tool))) throw notFound()
  },
})

/** Without the fields that only the harness may see. */
function toRow(approval: StoredApproval): ApprovalRow {
  const { isIntact: _, signature: __, ...row } = approval
  return row
}

export const APPROVAL_ROUTES = [listApprovals, answerApproval, listAlwaysAllowed, forgetAlwaysAllowed]
