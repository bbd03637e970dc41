import type { Cap } from '@capstan/protocol'
import { describe } from '../failures/classify.ts'
import { askAside } from './ask-aside.ts'
import type { Ending, Turn } from './turn.ts'
import { listCalls } from './turn.ts'
import { textOf } from '../turn/message.ts'

/** The ending of a turn that the user stopped. */
export const STOPPED: Ending = { type: 'aborted', text: 'Stopped.' }

/** Checks whether another iteration may begin: not after a stop, a stop hook's reason or a cap. */
export function leaveEarly(turn: Turn, iteration: number): Ending | Promise<Ending> | undefined {
  const { run, limits } = turn
  if (run.signal.aborted) return STOPPED
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
  const cap = reachedCap(turn, iteration)
  return cap && endAtCap(turn, cap)
}

function reachedCap({ run, limits }: Turn, iteration: number): Cap | undefined {
  if (!(iteration <= limits.maxIterations)) return { kind: 'iterations', limit: limits.maxIterations }
  return run.budget.exhausted()
}

/** Ends a turn at a cap, with the text of the checkpoint. */
export async function endAtCap(turn: Turn, cap: Cap): Promise<Ending> {
  const { history } = turn.conversation
  const asked = history.messages.findLast((message) => message.role === 'user')
  const checkpoint = await turn.checkpoint.atCap({
    cap,
    request: asked ? textOf(asked) : '',
    digest: listCalls(turn.state),
    ask: (question) => askAside(turn, question, { shownAsIteration: turn.state.iterations + 1 }),
  })
  if (turn.run.signal.aborted) return STOPPED
  const { text } = checkpoint
  if (checkpoint.type === 'pause') return { type: 'capped', text, cap, resumeToken: checkpoint.resumeToken }
  const failure = describe('quota_exhausted', {
    rule: `cap-${cap.kind}`,
    fact: `limit ${cap.limit}`,
    words: { cause: capCause(cap), next: 'Ask for a smaller part of it, or raise the limit.' },
  })
  return { type: 'failed', text, failure, cap }
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
