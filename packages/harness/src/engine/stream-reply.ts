import type { Usage } from '@capstan/protocol'
import { classifyModelError } from '../failures/classify.ts'
import { hideKnownIn } from '../tool-path/scrub/known-secrets.ts'
import type { ModelRequest } from '../models/model-client.ts'
import { retryDelayMs } from '../models/retry-delay.ts'
import type { DisplayFilter } from '../seams/seams.ts'
import { roundMs } from '../turn/clock.ts'
import type { ModelErrorFacts } from '../turn/errors.ts'
import { ModelError } from '../turn/errors.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import type { Answer } from './call-model.ts'
import { measureCall } from './measure-call.ts'
import { ReplyBuilder } from './reply-builder.ts'
import type { Ending, Turn } from './turn.ts'
import { notifyObservers } from './turn.ts'

/** How a reply is shown while it streams. */
export interface Showing {
  readonly iteration: number
  /** Called for each attempt: text that one attempt held back must not appear in the next. */
  readonly openDisplay: (() => DisplayFilter | undefined) | undefined
  readonly shown: boolean
}

/**
 * Gets one reply. Retries a transient failure while nothing of the reply was shown. Throws only what is not a
 * `ModelError`: a bug, or a script that ran out.
 */
export function streamReply(turn: Turn, request: ModelRequest, showing: Showing): Promise<Answer> {
  const answering = tryToReply(turn, request, showing)
  return turn.isMeasured ? measureCall(turn, request, answering) : answering
}

/** One of the two catches in the loop. */
async function tryToReply(turn: Turn, request: ModelRequest, showing: Showing): Promise<Answer> {
  const { run, model, limits } = turn
  for (let attempt = 1; ; attempt++) {
    const builder = new ReplyBuilder(turn, showing)
    const startedAt = run.clock.monotonic()
    try {
      await turn.watch.read(model, request, builder, showing.iteration)
      return { reply: await settle(turn, builder.finish(), showing, startedAt) }
    } catch (error) {
      const partial = builder.shown
      if (run.signal.aborted) return { ending: stopped(turn, partial), partial }
      if (!(error instanceof ModelError)) throw error
      if (builder.hasShown && CUTS.has(error.facts.kind) && ++turn.state.cuts <= MAX_CUTS) {
        return { reply: await settle(turn, builder.cutShort(), showing, startedAt) }
      }
      const delayMs = delayBefore(turn, attempt, error.facts)
      if (builder.hasShown || attempt >= limits.model.attempts || delayMs === undefined) {
        return { ending: failed(turn, error.facts, partial), partial }
      }
      // The message of a provider may quote the key.
      const failure = hideKnownIn(classifyModelError(error.facts), turn.services.secrets)
      const { iteration } = showing
      await run.report({ type: 'model-retry', iteration, model: model.id, attempt, delayMs, failure })
      await pause(turn, delayMs)
    }
  }
}

const CUTS: ReadonlySet<ModelErrorFacts['kind']> = new Set(['cut', 'network', 'malformed', 'idle-timeout'])
/** How many replies of one turn may break off after text was shown and be continued. */
const MAX_CUTS = 2

async function settle(
  turn: Turn,
  reply: ModelReply,
  { iteration }: Showing,
  startedAt: number,
): Promise<ModelReply> {
  const durationMs = roundMs(turn.run.clock.monotonic() - startedAt)
  const counting = countUsage(turn, reply.usage, iteration, durationMs)
  if (counting) await counting
  return reply
}

/** Charges a model call to the budget, and reports it to observers and watchers. */
export function countUsage(
  turn: Turn,
  usage: Usage,
  iteration: number,
  durationMs: number,
  model = turn.model.id,
): void | Promise<void> {
  const { run } = turn
  run.budget.spend(usage)
  const writing = notifyObservers(turn, (observer) => observer.usageCounted?.(run, usage, model))
  const report = () =>
    run.report({
      type: 'usage-update',
      iteration,
      model,
      call: usage,
      total: run.budget.usage,
      durationMs,
    })
  return writing ? writing.then(report) : report()
}

function delayBefore(turn: Turn, attempt: number, facts: ModelErrorFacts): number | undefined {
  if (!facts.retryable) return undefined
  const delayMs = retryDelayMs(attempt, facts, Math.random)
  return delayMs !== undefined && delayMs < turn.run.budget.remainingMs() ? delayMs : undefined
}

function pause({ run }: Turn, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = run.clock.after(ms, done)
    function done() {
      cancel()
      run.signal.removeEventListener('abort', done)
      resolve()
    }
    if (run.signal.aborted) done()
    else run.signal.addEventListener('abort', done, { once: true })
  })
}

function stopped({ state }: Turn, partial: string): Ending {
  const read = state.unfinished + partial
  return { type: 'aborted', text: read.trim() === '' ? 'Stopped.' : read }
}

function failed({ state }: Turn, facts: ModelErrorFacts, partial: string): Ending {
  const failure = classifyModelError(facts)
  const reason = `${failure.cause} ${failure.next}`
  const read = state.unfinished + partial
  return { type: 'failed', text: read.trim() === '' ? reason : `${read}\n\n${reason}`, failure }
}
