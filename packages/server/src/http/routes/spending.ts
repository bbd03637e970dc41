import type { Spending } from '@capstan/protocol'
import type { Call } from '../route.ts'
import { defineRoute } from '../route.ts'
import { spending, spendingLimits } from '../schemas/people.ts'

const readSpending = defineRoute({
  method: 'GET',
  path: '/api/spending',
  rights: 'user',
  summary: 'What this user may spend on models per day and month (UTC), and has spent.',
  answer: spending,
  handle: (call) => describeSpending(call),
})

const changeSpending = defineRoute({
  method: 'PUT',
  path: '/api/spending',
  rights: 'owner',
  summary: 'Sets what the owner may spend. A limit that is left out is none.',
  body: spendingLimits,
  example: { usdPerDay: 5, tokensPerMonth: 20_000_000 },
  answer: spending,
  async handle(call) {
    const { assistant, caller, body } = call
    await assistant.limits.changeOwnerSpending(body)
    await assistant.record(caller.userId, 'setting-change', 'spending', { ...body })
    return describeSpending(call)
  },
})

async function describeSpending({
  assistant,
  caller,
}: Pick<Call, 'assistant' | 'caller'>): Promise<Spending> {
  const allowance = assistant.allowanceOf(caller.userId)
  await allowance.ready()
  const { usdPerDay, usdPerMonth, tokensPerDay, tokensPerMonth } = assistant.limits.spendingOf(caller.userId)
  return {
    limits: {
      ...(usdPerDay === undefined ? undefined : { usdPerDay }),
      ...(usdPerMonth === undefined ? undefined : { usdPerMonth }),
      ...(tokensPerDay === undefined ? undefined : { tokensPerDay }),
      ...(tokensPerMonth === undefined ? undefined : { tokensPerMonth }),
    },
    used: { day: allowance.spent('day'), month: allowance.spent('month') },
    mayChange: caller.isOwner,
  }
}

export const SPENDING_ROUTES = [readSpending, changeSpending]
