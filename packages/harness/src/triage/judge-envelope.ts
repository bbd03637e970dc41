import type { Failure, TurnOutcome } from '@capstan/protocol'
import type { TriageDecision } from '../agents/parse-triage.ts'
import { parseTriage } from '../agents/parse-triage.ts'
import { TRIAGE } from '../agents/triage.ts'
import { runStateless } from '../entry-points/stateless-loop.ts'
import type { ModelClient } from '../models/model-client.ts'
import type { Allowance } from '../turn/allowance.ts'
import type { Clock } from '../turn/clock.ts'
import { systemClock } from '../turn/clock.ts'
import type { Envelope } from './envelope.ts'
import { toTriageInstructions, toTriageMessage } from './triage-prompt.ts'
import type { TriageRules } from './triage-prompt.ts'

/** What became of a trigger: a decision, or nobody could decide and it must be judged later. */
export type Judgement =
  | {
      readonly type: 'decided'
      readonly decision: TriageDecision
      /** Which attempt answered. */
      readonly by: 'first' | 'retry' | 'fallback'
      readonly costUsd: number
    }
  | {
      readonly type: 'deferred'
      /** For the person and for logs. */
      readonly reason: string
      readonly failure?: Failure
      readonly costUsd: number
    }

export interface JudgeOptions extends TriageRules {
  readonly model: ModelClient
  /** Asked when the model does not answer. */
  readonly fallback?: ModelClient
  readonly allowance?: Allowance
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

const RETRY_MS = 500
const MAX_RETRY_MS = 30_000
const REPLY_TIMEOUT_MS = 60_000

interface Attempt {
  readonly decision?: TriageDecision
  readonly problem?: string
  readonly failure?: Failure
  readonly costUsd: number
}

/**
 * Decides what becomes of a trigger, with a stateless run without tools: the model, the model again after a moment, then
 * the fallback. Never rejects: what nobody could decide is deferred.
 */
export async function judgeEnvelope(envelope: Envelope, options: JudgeOptions): Promise<Judgement> {
  const { model, fallback, clock = systemClock, signal } = options
  let costUsd = 0
  let last: Attempt | undefined
  const attempt = async (client: ModelClient): Promise<TriageDecision | undefined> => {
    last = await askOnce(envelope, client, options, last?.problem)
    costUsd += last.costUsd
    return last.decision
  }
  const first = await attempt(model)
  if (first) return { type: 'decided', decision: first, by: 'first', costUsd }
  if (mayHelpAgain(last) && (await pause(clock, waitOf(last), signal))) {
    const second = await attempt(model)
    if (second) return { type: 'decided', decision: second, by: 'retry', costUsd }
  }
  if (fallback && !signal?.aborted) {
    const third = await attempt(fallback)
    if (third) return { type: 'decided', decision: third, by: 'fallback', costUsd }
  }
  const failure = last?.failure
  const reason = failure?.cause ?? last?.problem ?? 'The model gave no answer.'
  return { type: 'deferred', reason, ...(failure && { failure }), costUsd }
}

async function askOnce(
  envelope: Envelope,
  client: ModelClient,
  options: JudgeOptions,
  problem: string | undefined,
): Promise<Attempt> {
  const { allowance, clock, signal } = options
  try {
    const outcome = await runStateless({
      model: client,
      instructions: toTriageInstructions(options),
      input: toTriageMessage(envelope, options, problem),
      origin: 'trigger',
      effectCeiling: 'read',
      preface: false,
      limits: {
        ...(TRIAGE.maxIterations !== undefined && { maxIterations: TRIAGE.maxIterations }),
        model: { attempts: 1, idleTimeoutMs: REPLY_TIMEOUT_MS, totalTimeoutMs: REPLY_TIMEOUT_MS },
      },
      ...(allowance && { allowance }),
      ...(clock && { clock }),
      ...(signal && { signal }),
    })
    return readAttempt(outcome, options)
  } catch (error) {
    // A model client that throws something unexpected must not lose the trigger.
    return { problem: error instanceof Error ? error.message : 'The model failed.', costUsd: 0 }
  }
}

function readAttempt(outcome: TurnOutcome, { targets }: TriageRules): Attempt {
  const costUsd = outcome.usage.chargedUsd + outcome.usage.estimatedUsd
  if (outcome.type === 'failed') return { failure: outcome.failure, costUsd }
  if (outcome.type !== 'done') return { problem: 'The model gave no answer.', costUsd }
  return {
    ...parseTriage(
      outcome.text,
      targets.map(({ id }) => id),
    ),
    costUsd,
  }
}

/** A wrong key or an empty account is the same half a second later. */
const mayHelpAgain = (last: Attempt | undefined): boolean => last?.failure?.category !== 'needs_user'

const waitOf = (last: Attempt | undefined): number =>
  Math.min(last?.failure?.retryAfterMs ?? RETRY_MS, MAX_RETRY_MS)

/** False when it was stopped meanwhile. */
function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve(!signal?.aborted)
    }
    const cancel = clock.after(ms, end)
    signal?.addEventListener('abort', end)
  })
}
