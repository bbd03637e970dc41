import type { DiagnosticFinding, DiagnosticRemedy, Diagnostics } from '@capstan/protocol'
import { z } from 'zod'
import { count, milliseconds } from './common.ts'
import { describes } from './describes.ts'

const finding = describes<DiagnosticFinding>()(
  z.strictObject({
    code: z.enum([
      'node',
      'store',
      'store-replaced',
      'disk',
      'model',
      'model-demo',
      'model-unusable',
      'embeddings',
      'embeddings-off',
      'embeddings-failing',
      'embeddings-unusable',
      'apps',
      'apps-unsure',
      'apps-broken',
      'sandbox',
      'sandbox-off',
      'sandbox-unavailable',
      'sandbox-unlimited',
      'demo',
      'demo-off',
      'demo-silent',
      'web',
      'web-elsewhere',
      'web-missing',
      'clock',
      'clock-behind',
      'unchecked',
    ]),
    version: z.string().optional(),
    oldest: z.string().optional(),
    folder: z.string().optional(),
    detail: z.string().optional(),
    freeBytes: count.optional(),
    model: z.string().optional(),
    known: count.optional(),
    done: count.optional(),
    total: count.optional(),
    connected: count.optional(),
    names: z.array(z.string()).optional(),
    address: z.string().optional(),
    at: milliseconds.optional(),
  }),
).meta({ id: 'DiagnosticFinding' })

const remedy = describes<DiagnosticRemedy>()(
  z.enum([
    'node',
    'store',
    'disk-soon',
    'disk-now',
    'model',
    'model-demo',
    'model-unusable',
    'embeddings-unusable',
    'apps-unsure',
    'apps-broken',
    'sandbox',
    'sandbox-unlimited',
    'restart',
    'clock',
  ]),
)

export const diagnostics = describes<Diagnostics>()(
  z.strictObject({
    checks: z.array(
      z.strictObject({
        id: z.enum([
          'node',
          'store',
          'disk',
          'model',
          'embeddings',
          'apps',
          'demo-app',
          'web-app',
          'clock',
          'sandbox',
        ]),
        state: z.enum(['ok', 'warning', 'failed']),
        finding,
        remedy: remedy.optional(),
        found: z.string(),
        next: z.string().optional(),
      }),
    ),
  }),
)
