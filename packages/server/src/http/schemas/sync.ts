import type { SyncEstimate, SyncList, SyncProgress, SyncSettings, SyncView } from '@capstan/protocol'
import { SYNC_BOUNDS } from '@capstan/protocol'
import { z } from 'zod'
import { jobSummary } from '../routes/jobs.ts'
import { count, milliseconds } from './common.ts'
import { describes } from './describes.ts'

const within = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max)

const settings = z.strictObject({
  intervalMinutes: within(SYNC_BOUNDS.intervalMinutes),
  days: within(SYNC_BOUNDS.days),
  pages: within(SYNC_BOUNDS.pages),
  items: within(SYNC_BOUNDS.items),
  requestsPerDay: within(SYNC_BOUNDS.requestsPerDay),
  tokensPerDay: within(SYNC_BOUNDS.tokensPerDay),
})
const syncSettings = describes<SyncSettings>()(settings)

/** `expected`: the count of an estimate. */
export const syncPut = settings.partial().extend({ expected: count.optional() })

const budget = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.coerce.number().int().min(min).max(max).optional()

/** The limits of a day for which the days are counted. Default: those of a sync that is switched on without settings. */
export const estimateQuery = {
  requestsPerDay: budget(SYNC_BOUNDS.requestsPerDay),
  tokensPerDay: budget(SYNC_BOUNDS.tokensPerDay),
}

const syncProgress = describes<SyncProgress>()(
  z.strictObject({
    pages: count,
    added: count,
    changed: count,
    unchanged: count,
    removed: count,
    tooOld: count,
    failed: count,
    expected: count.optional(),
  }),
)

export const syncView = describes<SyncView>()(
  z.strictObject({
    connectionId: z.string(),
    toolkit: z.string(),
    label: z.string(),
    isOn: z.boolean(),
    settings: syncSettings,
    job: jobSummary.optional(),
    progress: syncProgress.optional(),
    lastDoneAt: milliseconds.optional(),
    usedUp: z.enum(['requests', 'tokens']).optional(),
    problems: z.array(z.strictObject({ at: milliseconds, item: z.string().optional(), message: z.string() })),
  }),
).meta({ id: 'SyncView' })

export const syncList = describes<SyncList>()(z.strictObject({ syncs: z.array(syncView) }))

export const syncEstimate = describes<SyncEstimate>()(
  z.strictObject({
    items: count,
    requests: count,
    tokens: count,
    days: count,
    isAtLeast: z.boolean(),
    embedder: z.string().optional(),
  }),
)
