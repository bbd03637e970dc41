import type {
  McpServerPatch,
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  McpTransport,
  ProposedMapping,
  ServerProfile,
  SyncMapping,
} from '@capstan/protocol'
import { z } from 'zod'
import { describes } from './describes.ts'

const mcpTransport = describes<McpTransport>()(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('http'), url: z.string().max(2000) }),
    z.strictObject({
      type: z.literal('stdio'),
      command: z.string().min(1).max(1000),
      args: z.array(z.string().max(2000)).max(64),
    }),
  ]),
)

const serverProfile = describes<ServerProfile>()(
  z.strictObject({
    folders: z
      .array(z.strictObject({ path: z.string().min(1).max(4096), access: z.enum(['read', 'write']) }))
      .max(64),
    network: z.enum(['off', 'hosts', 'any']),
    hosts: z.array(z.string().max(300)).max(64),
    environment: z.array(z.string().max(200)).max(64),
  }),
)

const path = z.string().min(1).max(200)
const syncMapping = describes<SyncMapping>()(
  z.strictObject({
    list: z.strictObject({
      action: path,
      args: z.record(z.string(), z.unknown()).optional(),
      cursor: path.optional(),
      items: path,
      next: path.optional(),
      pages: path.optional(),
      mostPages: z.number().int().min(1).optional(),
      total: path.optional(),
      isNewestFirst: z.boolean().optional(),
    }),
    read: z.strictObject({ action: path, id: path, item: path.optional() }).optional(),
    fields: z.strictObject({
      id: path,
      version: path.optional(),
      at: path.optional(),
      title: path.optional(),
      text: path.optional(),
      link: path.optional(),
      people: path.optional(),
    }),
  }),
).meta({ id: 'SyncMapping' })

export const mcpServerPatch = describes<McpServerPatch>()(
  z.strictObject({
    sandbox: serverProfile.optional(),
    shared: z.boolean().optional(),
    isTrusted: z.boolean().optional(),
    sync: syncMapping.nullable().optional(),
  }),
)

export const mcpServerPost = describes<McpServerPost>()(
  z.strictObject({
    name: z.string().min(1).max(80),
    transport: mcpTransport,
    confirmedCommand: z.string().max(10_000).optional(),
    sandbox: serverProfile.optional(),
    sync: syncMapping.optional(),
  }),
)

export const mcpServerPreview = describes<McpServerPreview>()(
  z.strictObject({
    slug: z.string(),
    command: z.string().optional(),
    sandbox: serverProfile.optional(),
    isConfined: z.boolean().optional(),
  }),
)

export const mcpServerRow = describes<McpServerRow>()(
  z.strictObject({
    slug: z.string(),
    name: z.string(),
    transport: mcpTransport,
    shared: z.boolean(),
    sandbox: serverProfile.optional(),
    isConfined: z.boolean().optional(),
    isTrusted: z.boolean().optional(),
    sync: syncMapping.optional(),
  }),
)

export const proposedMapping = describes<ProposedMapping>()(
  z.strictObject({ mapping: syncMapping, unsure: z.array(z.string()) }),
)
