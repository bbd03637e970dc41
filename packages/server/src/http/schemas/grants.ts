import type {
  Grant,
  GrantBinding,
  GrantConstraints,
  GrantList,
  GrantView,
  HiddenValue,
} from '@capstan/protocol'
import { z } from 'zod'
import { appName, count, milliseconds, threadId } from './common.ts'
import { describes } from './describes.ts'

export const grantConstraints = describes<GrantConstraints>()(
  z.record(z.string().max(200), z.array(z.string().max(300)).max(50)),
)

export const hiddenValue = describes<HiddenValue>()(
  z.strictObject({ path: z.string(), chars: count, source: z.enum(['stored', 'recognised']) }),
)

export const grantBinding = describes<GrantBinding>()(
  z.strictObject({
    app: appName.optional(),
    connectionId: z.string().optional(),
    definitionDigest: z.string(),
    effect: z.enum(['read', 'write', 'admin']),
  }),
)

const grantView = describes<GrantView>()(
  z.strictObject({
    id: z.string(),
    tool: z.string(),
    binding: grantBinding,
    lifetime: describes<Grant['lifetime']>()(z.enum(['thread', 'hour', 'always'])),
    constraints: grantConstraints.optional(),
    threadId,
    threadTitle: z.string().optional(),
    createdAt: milliseconds,
    expiresAt: milliseconds.optional(),
  }),
).meta({ id: 'GrantView' })

export const grantList = describes<GrantList>()(z.strictObject({ grants: z.array(grantView) }))
