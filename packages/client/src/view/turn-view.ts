import type { Usage } from '@capstan/protocol'
import { textOf } from './fold-events.ts'
import type { Call, Run, Turn } from './thread-view.ts'
import { isOpen, rootOf } from './thread-view.ts'

// What a screen asks of a turn. All of it follows from the fold.

/** What stands in the place of the answer. `isFinal`: no call follows it. */
export interface AnswerView {
  readonly text: string
  readonly isFinal: boolean
}

/**
 * The words to read now. While it runs these are the newest ones, also when calls followed them; at the end what the
 * outcome says, and where that only tells of the end, the words that were shown before.
 */
export function answerOf(turn: Turn): AnswerView {
  const root = rootOf(turn)
  const { outcome } = root
  if (outcome && outcome.type !== 'failed' && outcome.type !== 'aborted')
    return { text: outcome.text, isFinal: true }
  const spoken = root.iterations.findLast((iteration) => textOf(iteration).trim() !== '')
  if (!spoken) return { text: root.carried, isFinal: true }
  const isFinal = !spoken.items.some((item) => item.type === 'call')
  if (outcome && !isFinal) return { text: '', isFinal: true }
  const carried = isFinal && spoken === root.iterations.at(-1) ? root.carried : ''
  return { text: carried + textOf(spoken), isFinal }
}

/** How a turn stands. */
export function statusOf(turn: Turn): 'running' | 'waiting' | 'ended' {
  if (rootOf(turn).endedAt !== undefined) return 'ended'
  return turn.openAsks > 0 ? 'waiting' : 'running'
}

/** What is being done now, for one line. */
export type CurrentStep =
  | { readonly type: 'waiting' | 'thinking' | 'writing' | 'working' }
  | { readonly type: 'preparing'; readonly tool: string }
  | { readonly type: 'call'; readonly label: string; readonly detail?: string }

export function currentStepOf(turn: Turn): CurrentStep {
  if (turn.openAsks > 0) return { type: 'waiting' }
  return stepOf(turn, rootOf(turn))
}

function stepOf(turn: Turn, run: Run): CurrentStep {
  const items = run.iterations.at(-1)?.items ?? []
  const call = items.findLast((item): item is Call => item.type === 'call' && isOpen(item))
  if (call?.status === 'writing') return { type: 'preparing', tool: call.tool }
  if (call) return deepest(turn, call)
  const last = items.at(-1)
  if (last?.type === 'text') return { type: 'writing' }
  return { type: last?.type === 'thinking' || run.iterations.length > 0 ? 'thinking' : 'working' }
}

/** The step of the sub-agent that works for a call says more than the call. */
function deepest(turn: Turn, { children, label, detail }: Call): CurrentStep {
  const child = children
    .map((id) => turn.runs.get(id))
    .findLast((run) => run !== undefined && run.endedAt === undefined)
  const below = child && stepOf(turn, child)
  if (below?.type === 'call') return below
  return { type: 'call', label, ...(detail === undefined ? undefined : { detail }) }
}

export interface TurnCounts {
  readonly steps: number
  readonly failed: number
}

/** Over all runs: a failure deep down is one the user may want to see. */
export function countsOf(turn: Turn): TurnCounts {
  let failed = 0
  for (const run of turn.runs.values())
    for (const { items } of run.iterations)
      for (const item of items) if (item.type === 'call' && item.status === 'failed') failed++
  return { steps: rootOf(turn).iterations.length, failed }
}

/** The calls that wait for a person, in every run, oldest first. */
export function openAsksOf(turn: Turn): readonly Call[] {
  if (turn.openAsks === 0) return []
  return callsOf(turn).filter(({ status }) => status === 'asking' || status === 'connecting')
}

/** Every call that asked a person something, whatever became of it. */
export function asksOf(turn: Turn): readonly Call[] {
  return callsOf(turn).filter(({ approval, connection }) => approval ?? connection)
}

function callsOf(turn: Turn): readonly Call[] {
  const calls: Call[] = []
  for (const run of turn.runs.values())
    for (const { items } of run.iterations)
      for (const item of items) if (item.type === 'call') calls.push(item)
  return calls.toSorted((a, b) => a.key - b.key)
}

export function costOf(usage: Usage | undefined): { readonly usd: number; readonly isEstimate: boolean } {
  if (!usage) return { usd: 0, isEstimate: false }
  return { usd: usage.chargedUsd + usage.estimatedUsd, isEstimate: usage.estimatedUsd > 0 }
}
