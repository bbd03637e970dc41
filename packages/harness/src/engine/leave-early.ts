import type { Cap } from '@capstan/protocol'
import { describe } from '../failures/classify.ts'
import type { CappedTurn, Checkpoint } from '../seams/seams.ts'
import { messageOf } from '../turn/error-message.ts'
import { endsTheTree, GivenUpError } from '../turn/errors.ts'
import { newToken } from '../turn/new-id.ts'
import { plainSummary } from '../turn/plain-summary.ts'
import { settleInTime } from '../turn/settle-in-time.ts'
import { askAside } from './ask-aside.ts'
import { endOverspent } from './spending.ts'
import type { Ending, Turn } from './turn.ts'
import { listCalls } from './turn.ts'
import { textOf } from '../turn/message/message.ts'

/** The ending of a turn that the user stopped. */
export const STOPPED: Ending = { type: 'aborted', text: 'Stopped.' }

/** Checks whether another iteration may begin: not after a stop, a stop hook's reason or a cap. */
export function leaveEarly(turn: Turn, iteration: number): Ending | Promise<Ending> | undefined {
  const { run, limits } = turn
  if (run.signal.aborted) return run.signal.reason instanceof GivenUpError ? endGivenUp() : STOPPED
  for (const hook of turn.stopHooks) {
    const reason = hook.stop({
      iteration,
      maxIterations: limits.maxIterations,
      usage: run.budget.usage,
      model: turn.model.id,
    })
    if (reason !== undefined)
      return { type: 'halted', guard: hook.name, text: `Stopped by ${hook.name}: ${reason}` }
  }
  const overspent = run.budget.overspent()
  if (overspent) return endOverspent(overspent)
  const cap = reachedCap(turn, iteration)
  return cap && endAtCap(turn, cap)
}

function endGivenUp(): Ending {
  const failure = describe('interrupted', {
    rule: 'given-up',
    detail: { kind: 'gave-up' },
    words: {
      cause: 'This was interrupted again and again, so it was not tried once more.',
      next: 'Look at what was done above, then ask for the rest in smaller parts.',
    },
  })
  return { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }
}

function reachedCap({ run, limits }: Turn, iteration: number): Cap | undefined {
  if (!(iteration <= limits.maxIterations)) return { kind: 'iterations', limit: limits.maxIterations }
  return run.budget.exhausted()
}

/** Ends a turn at a cap, with the text of the checkpoint. */
export async function endAtCap(turn: Turn, cap: Cap): Promise<Ending> {
  const { history } = turn.conversation
  const asked = history.messages.findLast((message) => message.role === 'user')
  const digest = listCalls(turn.state)
  const answer = await askCheckpoint(turn, { cap, request: asked ? textOf(asked) : '', digest })
  if (turn.run.signal.aborted) return STOPPED
  const checkpoint = toCheckpoint(answer, () =>
    plainSummary({ cap, digest }, turn.run.depth > 0 ? 'parent' : 'user'),
  )
  const { text } = checkpoint
  if (checkpoint.type === 'pause') return { type: 'capped', text, cap, resumeToken: checkpoint.resumeToken }
  const failure = describe('quota_exhausted', {
    rule: `cap-${cap.kind}`,
    fact: `limit ${cap.limit}`,
    detail: { kind: 'limit' },
    words: { cause: capCause(cap), next: 'Ask for a smaller part of it, or raise the limit.' },
  })
  return { type: 'failed', text, failure, cap }
}

/**
 * What the checkpoint answers; undefined when it fails, or does not answer before the turn is stopped or the time has
 * passed. Throws only when a model call it made cannot be recorded.
 */
async function askCheckpoint(turn: Turn, capped: Omit<CappedTurn, 'ask'>): Promise<unknown> {
  const { run, limits } = turn
  let isOpen = true
  let asking: Promise<unknown> | undefined
  const ask = (question: string): Promise<string | undefined> => {
    if (!isOpen) return Promise.resolve(undefined)
    const answer = askAside(turn, question, { shownAsIteration: turn.state.iterations + 1 })
    asking = asking ? Promise.all([asking, answer]) : answer
    asking.catch(() => {}) // it is awaited below
    return answer
  }
  const answering = (async () => turn.checkpoint.atCap({ ...capped, ask }))()
  const settled = await settleInTime(answering, run, limits.model.totalTimeoutMs + limits.tools.timeoutMs)
  isOpen = false
  await asking // it has limits of its own, and must not report after the end of the turn
  if (settled.type === 'answered') return settled.value
  if (settled.type === 'failed') {
    if (endsTheTree(settled.error)) throw settled.error
    process.emitWarning(
      `the checkpoint failed: ${messageOf(settled.error) ?? 'without a reason'}`,
      'CapstanCheckpoint',
    )
  }
  return undefined
}

/** A checkpoint whose text is not blank and whose token can be stored, whatever a program answered. */
function toCheckpoint(answer: unknown, plainText: () => string): Checkpoint {
  const { type, text, resumeToken } = readFields(answer)
  const shown = typeof text === 'string' && text.trim() !== '' ? text : plainText()
  if (type === 'fail') return { type, text: shown }
  return {
    type: 'pause',
    text: shown,
    resumeToken: typeof resumeToken === 'string' && resumeToken !== '' ? resumeToken : newToken(),
  }
}

function readFields(answer: unknown): { type?: unknown; text?: unknown; resumeToken?: unknown } {
  if (typeof answer !== 'object' || answer === null) return {}
  try {
    const { type, text, resumeToken } = answer as Readonly<Record<string, unknown>>
    return { type, text, resumeToken }
  } catch {
    return {} // a getter may throw
  }
}

function capCause({ kind, limit }: Cap): string {
  switch (kind) {
    case 'iterations':
      return `This needed more than the ${limit} steps a turn may take.`
    case 'tokens':
      return `The budget of ${limit} tokens is used up.`
    case 'usd':
      return `The budget of ${limit} USD is used up.`
    case 'wall-clock':
      return `This took longer than the ${Math.round(limit / 1000)} seconds a turn may take.`
  }
}
