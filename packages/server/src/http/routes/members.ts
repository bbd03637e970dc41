import type { MemberRow } from '@capstan/protocol'
import { z } from 'zod'
import type { MemberEntry } from '../../auth/auth.ts'
import { isLocalOrigin } from '../../auth/own-origin.ts'
import { notFound } from '../api-error.ts'
import type { Call } from '../route.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId } from '../schemas/common.ts'
import { memberLink, memberRow, userLimits } from '../schemas/people.ts'

const params = { userId: anyId }

const listMembers = defineRoute({
  method: 'GET',
  path: '/api/members',
  rights: 'owner',
  summary: 'The users whom the owner let in.',
  answer: z.strictObject({ members: z.array(memberRow) }),
  async handle(call) {
    const rows = call.services.auth.listMembers().map((member) => toRow(call, member))
    return { members: await Promise.all(rows) }
  },
})

const addMember = defineRoute({
  method: 'POST',
  path: '/api/members',
  rights: 'fresh-owner',
  summary: 'Adds a member, and answers with a link that logs them in once, within an hour.',
  body: z.strictObject({ userId: z.string().trim().toLowerCase().max(64) }),
  example: { userId: 'grace' },
  answer: memberLink,
  async handle(call) {
    await call.services.auth.addMember(call.body.userId)
    await call.assistant.record(call.caller.userId, 'member-add', call.body.userId)
    return toLink(call, call.body.userId)
  },
})

const linkMember = defineRoute({
  method: 'POST',
  path: '/api/members/:userId/link',
  rights: 'fresh-owner',
  summary: 'A new link that logs a member in once, within an hour.',
  params,
  answer: memberLink,
  handle: (call) => toLink(call, call.params.userId),
})

const changeMember = defineRoute({
  method: 'PATCH',
  path: '/api/members/:userId',
  rights: 'fresh-owner',
  summary: 'Changes the limits of a member.',
  params,
  body: z.strictObject({ limits: userLimits }),
  example: {
    limits: { turnsAtOnce: 2, messagesPerMinute: 10, usdPerDay: 1, threads: 100, storedMegabytes: 100 },
  },
  answer: memberRow,
  async handle(call) {
    const member = findMember(call, call.params.userId)
    await call.assistant.limits.change(member.userId, call.body.limits)
    await call.assistant.record(call.caller.userId, 'member-change', member.userId, { ...call.body.limits })
    return toRow(call, member)
  },
})

const removeMember = defineRoute({
  method: 'DELETE',
  path: '/api/members/:userId',
  rights: 'fresh-owner',
  summary:
    'Removes a member: ends their logins and their jobs, and stops their turns. Their conversations stay stored.',
  params,
  answer: NOTHING,
  async handle({ services, assistant, caller, params: { userId } }) {
    if (!(await services.auth.removeMember(userId))) throw notFound()
    await assistant.record(caller.userId, 'member-remove', userId)
    await assistant.store.jobs.removeAllOf(userId)
    await assistant.stopTurns(userId)
  },
})

function findMember({ services }: Call, userId: string): MemberEntry {
  const member = services.auth.listMembers().find((one) => one.userId === userId)
  if (!member) throw notFound()
  return member
}

const toRow = async ({ assistant }: Call, member: MemberEntry): Promise<MemberRow> => ({
  ...member,
  limits: assistant.limits.of(member.userId),
  storedBytes: await assistant.storedBytes.of(member.userId),
})

async function toLink(call: Call, userId: string) {
  const member = await toRow(call, findMember(call, userId))
  const ticket = call.services.auth.mintTicket(userId)
  const origin = call.services.toLinkOrigin(call.origin)
  return { member, link: `${origin}/login?ticket=${ticket}`, isLocalOnly: isLocalOrigin(origin) }
}

export const MEMBER_ROUTES = [listMembers, addMember, linkMember, changeMember, removeMember]
