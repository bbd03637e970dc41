import type { Failure, OpenCall, RunId } from '@capstan/protocol'
import type { ToolResult } from './tool/tool-result.ts'

/** A call with side effects and how it ended. `unknown`: it was started, and nobody saw its end. */
export interface SideEffect extends OpenCall {
  readonly end: 'done' | 'unknown' | 'failed'
  readonly failure?: Failure
}

/** What a run and the runs below it have changed, in order. Kept for the whole turn, also over a restart. */
export class SideEffects {
  readonly #above: SideEffects | undefined
  readonly #all: SideEffect[]

  constructor(past: readonly SideEffect[] = [], above?: SideEffects) {
    this.#all = [...past]
    this.#above = above
  }

  add(effect: SideEffect): void {
    this.#all.push(effect)
    this.#above?.add(effect)
  }

  /** Calls that were started, and nobody saw how they ended. */
  get openCalls(): readonly OpenCall[] {
    if (this.#all.length === 0) return NONE
    return this.#of('unknown').map(({ runId, callId, tool }) => ({ runId, callId, tool }))
  }

  /** Why something was not done: the last failure of a tool that has not worked since. */
  get failure(): Failure | undefined {
    const last = new Map(this.#all.map((effect) => [effect.tool, effect]))
    return [...last.values()].findLast(({ end }) => end !== 'done')?.failure
  }

  /** The account for the agent above, in the words of the harness. Empty when nothing was changed. */
  describe(): string {
    const done = countByTool(this.#of('done'))
    const unknown = countByTool(this.#of('unknown'))
    const sentences = [
      done && `It did this, and it stays done: ${done}.`,
      unknown &&
        `Nobody knows whether this happened: ${unknown}. Find out before it is done again, tell the user, and never say ` +
          'that it was done.',
    ]
    return sentences.filter((sentence) => sentence !== '').join(' ')
  }

  #of(end: SideEffect['end']): readonly SideEffect[] {
    return this.#all.filter((effect) => effect.end === end)
  }
}

const NONE: readonly OpenCall[] = []

/**
 * The side effect of a finished call. Undefined for a read, for a tool that does not exist, and for a repetition
 * that was refused. A call of an unknown effect counts as one that has some.
 */
export function toSideEffect(
  runId: RunId,
  { callId, tool, ok, effect, failure }: ToolResult,
): SideEffect | undefined {
  if (effect === 'read') return undefined
  if (effect === undefined && failure?.class === 'not_found') return undefined
  // It was done before, so nothing is missing.
  if (failure?.detail?.kind === 'done-already') return undefined
  const end = ok ? 'done' : failure?.class === 'interrupted' ? 'unknown' : 'failed'
  return { runId, callId, tool, end, ...(failure && { failure }) }
}

function countByTool(calls: readonly OpenCall[]): string {
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  return [...counts].map(([tool, count]) => (count === 1 ? tool : `${tool} (${count} times)`)).join(', ')
}
