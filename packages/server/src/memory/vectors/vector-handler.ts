import { nextDay } from '@capstan/harness/memory'
import type { Embedder } from '@capstan/harness/models'
import type { Allowance } from '@capstan/harness/seams'
import type { ItemVectors, JobRow, RunStore, UserVectors } from '@capstan/harness/stores'
import type { Usage } from '@capstan/protocol'
import { JobError } from '../../jobs/job-handler.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job-handler.ts'
import { toModelFailure } from '../../sessions/test-model.ts'
import { embedItems } from './embed-items.ts'
import { VECTOR_KIND, memoOfDay, readMemo, toJson } from './vector-memo.ts'
import type { VectorMemo } from './vector-memo.ts'

/** Stored together. A kill costs at most so many again. */
const ITEMS_AT_ONCE = 16
/** About a hundred thousand short items in a month. */
const TOKENS_PER_DAY = 2_000_000
/** New items are noticed at once; this is for those that came in while no server ran. */
const IDLE_MS = 24 * 60 * 60_000

/** What embedding needs. */
export interface VectorParts {
  readonly vectors: UserVectors
  readonly runs: Pick<RunStore, 'recordUsage'>
  readonly embedderOf: (userId: string) => Embedder | undefined
  readonly allowanceOf: (userId: string) => Allowance
  readonly tokensPerDay?: number
}

/** Embeds the items of a user that have no vectors of the model in use, the newest first, until a budget of the day is used up. */
export function createVectorHandler(parts: VectorParts): JobHandler {
  return {
    kind: VECTOR_KIND,
    maxAttempts: Infinity,
    async run(job, run) {
      const embedder = parts.embedderOf(job.userId)
      return embedder ? embedAll(job, run, embedder, parts) : { done: true }
    },
  }
}

async function embedAll(
  job: JobRow,
  run: JobRun,
  embedder: Embedder,
  parts: VectorParts,
): Promise<JobResult> {
  const { userId } = job
  const { vectors, allowanceOf, tokensPerDay = TOKENS_PER_DAY } = parts
  const allowance = allowanceOf(userId)
  let memo = readMemo(job)
  for (;;) {
    run.signal.throwIfAborted()
    memo = memoOfDay(memo, run.now())
    await allowance.ready()
    if (memo.tokens >= tokensPerDay || allowance.reached())
      return { next: nextDay(run.now()), state: toJson({ ...memo, waitsFor: 'day' }) }
    const items = await vectors.missing(userId, embedder.id, ITEMS_AT_ONCE)
    if (items.length === 0)
      return { next: run.now() + IDLE_MS, state: toJson({ ...memo, waitsFor: 'items' }) }
    const { embedded, usage } = await embedItems(embedder, items, run.signal).catch((error: unknown) => {
      run.signal.throwIfAborted()
      throw new JobError(toModelFailure(error, embedder.id))
    })
    await recordSpending(userId, embedder.id, usage, run.now(), parts)
    const next = { ...memo, tokens: memo.tokens + usage.inputTokens, ...shapeOf(embedder, embedded, memo) }
    if (memo.model === embedder.id && next.dimensions !== memo.dimensions) await vectors.removeAll(userId)
    await vectors.put(userId, embedder.id, embedded)
    memo = next
    await run.save(toJson(memo))
  }
}

function shapeOf(
  { id }: Embedder,
  embedded: readonly ItemVectors[],
  before: VectorMemo,
): Pick<VectorMemo, 'model' | 'dimensions'> {
  const [vector] = embedded.flatMap((one) => one.vectors)
  return { model: id, dimensions: vector?.length ?? (before.model === id ? before.dimensions : 0) }
}

/** Counts what an embedding cost, for the limits of today and for the sums of later. */
export async function recordSpending(
  userId: string,
  model: string,
  usage: Usage,
  at: number,
  { allowanceOf, runs }: Pick<VectorParts, 'allowanceOf' | 'runs'>,
): Promise<void> {
  if (usage.inputTokens === 0) return
  allowanceOf(userId).spend(usage)
  await runs.recordUsage(userId, { at, model, usage })
}
