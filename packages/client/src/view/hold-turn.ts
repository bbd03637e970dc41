import type { ThreadSummary } from '@capstan/protocol'
import type { Call, Iteration, Run, ThreadView, Turn } from './thread-view.ts'

/** What the server says of a thread beside its events. */
export type HeldState = Pick<ThreadSummary, 'activity' | 'answered'>

/**
 * A thread whose last turn was answered during a hold. The answers are in no event until everything is released, so they
 * are put into the view from outside. The same view when nothing is held.
 */
export function holdTurn(view: ThreadView, { activity, answered = {} }: HeldState): ThreadView {
  const last = view.turns.at(-1)
  if (activity !== 'held' || !last) return view
  return { ...view, turns: [...view.turns.slice(0, -1), withAnswers(last, answered)] }
}

function withAnswers(turn: Turn, answered: NonNullable<HeldState['answered']>): Turn {
  let { openAsks } = turn
  const hold = (call: Call): Call => {
    const decision = call.approval && answered[call.approval.id]
    if (!call.approval || !decision || call.status !== 'asking') return call
    openAsks--
    return { ...call, status: 'held', approval: { ...call.approval, decision } }
  }
  const holdIteration = (iteration: Iteration): Iteration => ({
    ...iteration,
    items: iteration.items.map((item) => (item.type === 'call' ? hold(item) : item)),
  })
  const runs = new Map(
    [...turn.runs].map(([id, run]): [Run['id'], Run] => [
      id,
      { ...run, iterations: run.iterations.map(holdIteration) },
    ]),
  )
  return { ...turn, runs, openAsks, isHeld: true }
}
