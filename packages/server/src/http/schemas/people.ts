import type { LoginRow, MemberLink, MemberRow, Spending, SpendingLimits, UserLimits } from '@capstan/protocol'
import { z } from 'zod'
import { count, milliseconds } from './common.ts'
import { describes } from './describes.ts'

export const loginRow = describes<LoginRow>()(
  z.strictObject({
    id: z.string(),
    device: z.string(),
    createdAt: milliseconds,
    usedAt: milliseconds,
    isThis: z.boolean(),
  }),
)

const usd = z.number().min(0).max(1_000_000)
const tokens = z.number().int().min(0).max(1_000_000_000_000)
const spendingFields = {
  usdPerDay: usd.optional(),
  usdPerMonth: usd.optional(),
  tokensPerDay: tokens.optional(),
  tokensPerMonth: tokens.optional(),
}

export const spendingLimits = describes<SpendingLimits>()(z.strictObject(spendingFields)).meta({
  id: 'SpendingLimits',
})

const amountSpent = z.strictObject({ usd: z.number().min(0), tokens: z.number().min(0) })

export const spending = describes<Spending>()(
  z.strictObject({
    limits: spendingLimits,
    used: z.strictObject({ day: amountSpent, month: amountSpent }),
    mayChange: z.boolean(),
  }),
).meta({ id: 'Spending' })

export const userLimits = describes<UserLimits>()(
  z.strictObject({
    turnsAtOnce: z.number().int().min(0).max(1000),
    messagesPerMinute: z.number().int().min(0).max(10_000),
    ...spendingFields,
    usdPerDay: usd,
    threads: z.number().int().min(0).max(1_000_000),
    storedMegabytes: z.number().int().min(0).max(10_000_000),
  }),
).meta({ id: 'UserLimits' })

export const memberRow = describes<MemberRow>()(
  z.strictObject({
    userId: z.string(),
    addedAt: milliseconds,
    logins: count,
    usedAt: milliseconds.optional(),
    limits: userLimits,
    storedBytes: count,
  }),
).meta({ id: 'MemberRow' })

export const memberLink = describes<MemberLink>()(
  z.strictObject({ member: memberRow, link: z.string(), isLocalOnly: z.boolean() }),
)
