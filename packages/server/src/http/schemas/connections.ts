import type {
  ActionEffectPut,
  ActionList,
  ActionRow,
  ConnectionRow,
  ScopeSettings,
  SignInReply,
  ToolkitList,
  ToolkitView,
} from '@capstan/protocol'
import { z } from 'zod'
import { milliseconds } from './common.ts'
import { describes } from './describes.ts'

export const scopeSettings = describes<ScopeSettings>()(
  z.strictObject({ read: z.boolean(), write: z.boolean(), admin: z.boolean() }),
)

export const connectionRow = describes<ConnectionRow>()(
  z.strictObject({
    id: z.string(),
    userId: z.string(),
    connector: z.string(),
    toolkit: z.string(),
    status: z.enum(['pending', 'active', 'expired', 'failed', 'revoked', 'disconnected']),
    label: z.string(),
    isDefault: z.boolean(),
    createdAt: milliseconds,
    updatedAt: milliseconds,
    reason: z.string().optional(),
    reasonCode: z
      .enum([
        'declined',
        'abandoned',
        'expired',
        'revoked',
        'rejected',
        'insufficient-scope',
        'unavailable',
        'unreachable',
        'unknown-host',
        'insecure',
        'timeout',
        'not-mcp',
        'no-registration',
      ])
      .optional(),
  }),
).meta({ id: 'ConnectionRow' })

const toolkitView = describes<ToolkitView>()(
  z.strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    connector: z.string(),
    auth: z.enum(['none', 'oauth', 'key']),
    connections: z.array(connectionRow),
    scopes: scopeSettings,
    isOwn: z.boolean(),
    shared: z.boolean().optional(),
    isTrusted: z.boolean().optional(),
  }),
).meta({ id: 'ToolkitView' })

export const toolkitList = describes<ToolkitList>()(
  z.strictObject({ authoritative: z.boolean(), toolkits: z.array(toolkitView) }),
)

const actionEffect = z.enum(['read', 'write', 'admin'])

const actionRow = describes<ActionRow>()(
  z.strictObject({
    name: z.string(),
    description: z.string(),
    effect: actionEffect,
    because: z.enum(['name', 'claim', 'user', 'code', 'changed']),
    digest: z.string(),
  }),
).meta({ id: 'ActionRow' })

export const actionList = describes<ActionList>()(z.strictObject({ actions: z.array(actionRow) }))

export const actionEffectPut = describes<ActionEffectPut>()(
  z.strictObject({
    action: z.string().min(1).max(200),
    effect: actionEffect.nullable(),
    digest: z.string().min(1).max(200),
  }),
)

export const signInReply = describes<SignInReply>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('visit'), url: z.string() }),
    z.strictObject({ type: z.literal('key') }),
    z.strictObject({ type: z.literal('settled'), connection: connectionRow }),
  ]),
)
