import type { FieldProblem } from '@capstan/protocol'
import { z } from 'zod'
import { count } from './common.ts'
import { describes } from './describes.ts'

const value = z.string()

export const fieldProblem = describes<FieldProblem>()(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['not-absolute', 'no-host', 'not-a-key']) }),
    z.strictObject({
      kind: z.enum(['when-unclear', 'when-no-time', 'when-mixed', 'when-often', 'when-never', 'bad-zone']),
    }),
    z.strictObject({ kind: z.enum(['not-a-folder', 'own-data']), value }),
    z.strictObject({ kind: z.enum(['not-a-host', 'host-too-wide', 'not-a-variable']), value }),
    z.strictObject({ kind: z.literal('taken'), value }),
    z.strictObject({ kind: z.enum(['too-many', 'bad-name']), most: count }),
    z.strictObject({ kind: z.literal('length'), least: count, most: count }),
  ]),
).meta({ id: 'FieldProblem' })
