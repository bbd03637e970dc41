import type { ApiProblem, Me } from '@capstan/protocol'
import { z } from 'zod'
import { fieldProblem } from './field-problem.ts'
import { milliseconds } from './common.ts'
import { describes } from './describes.ts'

export const apiProblem = describes<ApiProblem>()(
  z.strictObject({
    error: z.strictObject({
      code: z.enum([
        'invalid',
        'signed_out',
        'forbidden',
        'login_again',
        'not_found',
        'conflict',
        'held',
        'too_large',
        'rate_limited',
        'limit_reached',
        'unavailable',
        'internal',
      ]),
      message: z.string(),
      field: z.string().optional(),
      problem: fieldProblem.optional(),
      retryAfterMs: milliseconds.optional(),
    }),
  }),
).meta({ id: 'ApiProblem' })

export const me = describes<Me>()(
  z.strictObject({
    userId: z.string(),
    version: z.string(),
    role: z.enum(['owner', 'member']),
    can: z.strictObject({
      changeModel: z.boolean(),
      changeFolders: z.boolean(),
      useFullMode: z.boolean(),
      manageServers: z.boolean(),
      manageMembers: z.boolean(),
      seeDiagnostics: z.boolean(),
    }),
  }),
)
