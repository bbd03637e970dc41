import { StoreError } from '@capstan/harness'
import type { Threads } from '@capstan/harness'
import type { StoredApproval } from '@capstan/harness/stores'
import type { AnswerReceipt, ApprovalPost, ApprovalRow } from '@capstan/protocol'
import { ApiError, notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { approvalList, approvalPost, approvalReceipt, exactArguments } from '../schemas/approvals.ts'
import { anyId } from '../schemas/common.ts'
import { grantList } from '../schemas/grants.ts'

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
    const { decision, constraints } = body
    if (decision !== 'deny') await refuseUnseen(threads, params.approvalId, body)
    const receipt = await answer(() => threads.answer(params.approvalId, decision, constraints))
    if (receipt === 'unknown') throw notFound()
    return { receipt }
  },
})

/** A page that does not show hidden values cannot allow them by mistake, and a grant is never promised in vain. */
async function refuseUnseen(threads: Threads, approvalId: string, post: ApprovalPost): Promise<void> {
  const open = (await threads.pendingApprovals()).find(({ id }) => id === approvalId)
  if (!open) return
  if (open.hidden && !post.withHidden) throw new ApiError('invalid', WITH_HIDDEN, { field: 'withHidden' })
  if (open.binding?.effect === 'admin' && post.decision !== 'allow-once')
    throw new ApiError('invalid', ONLY_ONCE, { field: 'decision' })
}

const WITH_HIDDEN =
  'Some values of this call are hidden. Show them to the person, then send "withHidden": true with the answer.'
const ONLY_ONCE = 'A call that can delete or administer is allowed once only. Send "allow-once".'

async function answer(send: () => Promise<AnswerReceipt>): Promise<AnswerReceipt> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'invalid')
      throw new ApiError('invalid', error.message, { field: 'constraints' })
    throw error
  }
}

const revealApproval = defineRoute({
  method: 'POST',
  path: '/api/approvals/:approvalId/reveal',
  rights: 'user',
  summary: 'The exact arguments of an open approval, with nothing hidden.',
  params: { approvalId: anyId },
  answer: exactArguments,
  async handle({ threads, params }) {
    const exact = await threads.revealArguments(params.approvalId)
    if (!exact) throw notFound()
    return exact
  },
})

const listGrants = defineRoute({
  method: 'GET',
  path: '/api/grants',
  rights: 'user',
  summary: 'What runs without an approval, and until when.',
  answer: grantList,
  async handle({ assistant: { store }, caller }) {
    const grants = await store.approvals.listGrants(caller.userId, Date.now())
    return {
      grants: await Promise.all(
        grants.map(async (grant) => {
          const thread = await store.threads.get(grant.threadId)
          return { ...grant, ...(thread?.userId === caller.userId && { threadTitle: thread.title }) }
        }),
      ),
    }
  },
})

const revokeGrant = defineRoute({
  method: 'DELETE',
  path: '/api/grants/:grantId',
  rights: 'user',
  summary: 'Requires an approval again.',
  params: { grantId: anyId },
  answer: NOTHING,
  async handle({ assistant, caller, params }) {
    if (!(await assistant.store.approvals.revokeGrant(caller.userId, params.grantId))) throw notFound()
  },
})

/** Without the fields that only the harness may see. */
function toRow(approval: StoredApproval): ApprovalRow {
  const { isIntact: _, signature: __, ...row } = approval
  return row
}

export const APPROVAL_ROUTES = [listApprovals, answerApproval, revealApproval, listGrants, revokeGrant]
