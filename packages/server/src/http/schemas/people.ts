import type { LoginRow, MemberLink, MemberRow, UserLimits } from '@capstan/protocol'
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

export const userLimits = describes<UserLimits>()(
  z.strictObject({
    turnsAtOnce: z.number().int().min(0).max(1000),
    messagesPerMinute: z.number().int().min(0).max(10_000),
    usdPerDay: z.number().min(0).max(1_000_000),
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
