import type {
  McpServerPost,
  McpServerPreview,
  McpServerRow,
  McpServerTrust,
  McpTransport,
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

export const mcpServerPost = describes<McpServerPost>()(
  z.strictObject({
    name: z.string().min(1).max(80),
    transport: mcpTransport,
    confirmedCommand: z.string().max(10_000).optional(),
  }),
)

export const mcpServerPreview = describes<McpServerPreview>()(
  z.strictObject({ slug: z.string(), command: z.string().optional() }),
)

export const mcpServerRow = describes<McpServerRow>()(
  z.strictObject({
    slug: z.string(),
    name: z.string(),
    transport: mcpTransport,
    isTrusted: z.boolean().optional(),
  }),
)

export const mcpServerTrust = describes<McpServerTrust>()(z.strictObject({ isTrusted: z.boolean() }))
