import type { Usage } from '@capstan/protocol'
import type { Call, Run, Turn } from './thread-view.ts'
import { isAsking, isOpen, rootOf, textOf } from './thread-view.ts'

// What a screen reads from a turn. All of it follows from the fold.

/** The text shown as the answer. `isFinal`: no call follows it. */
export interface AnswerView {
  readonly text: string
  readonly isFinal: boolean
}

/**
 * The text to show now. While the turn runs this is the newest text, even if calls followed it. At the end it is the
 * text of the outcome; for a failed or stopped turn it is the text that was shown before.
 */
export function answerOf(turn: Turn): AnswerView {
  const root = rootOf(turn)
  const { outcome } = root
  if (outcome && outcome.type !== 'failed' && outcome.type !== 'aborted')
    return { text: outcome.text, isFinal: true }
  const shown = root.iterations.findLast((iteration) => textOf(iteration).trim() !== '')
  if (!shown) return { text: root.carried, isFinal: true }
  const isFinal = !shown.items.some((item) => item.type === 'call')
  if (outcome && !isFinal) return { text: '', isFinal: true }
  const carried = isFinal && shown === root.iterations.at(-1) ? root.carried : ''
  return { text: carried + textOf(shown), isFinal }
}

/** Whether a turn runs, waits for a person or for the release of everything, or has ended. */
export function statusOf(turn: Turn): 'running' | 'waiting' | 'held' | 'ended' {
  if (rootOf(turn).endedAt !== undefined) return 'ended'
  if (turn.isHeld) return 'held'
  return isWaiting(turn) ? 'waiting' : 'running'
}

/** Threads written before turns reported parking show it only by their open questions. */
const isWaiting = ({ openAsks, waitsFor }: Turn): boolean => openAsks > 0 || waitsFor.length > 0

/** How long a turn worked until `now`. The time in which it waited for a person is no work. */
export function workedMs({ startedAt, waitedMs, waitsSince }: Turn, now: number): number {
  return Math.max(0, (waitsSince ?? now) - startedAt - waitedMs)
}

/** What a turn does now, for a status line. */
export type CurrentStep =
  | { readonly type: 'waiting' | 'held' | 'thinking' | 'writing' | 'working' }
  | { readonly type: 'preparing'; readonly tool: string }
  | { readonly type: 'call'; readonly label: string; readonly detail?: string }

/** The step a running turn is at, sub-agents included. */
export function currentStepOf(turn: Turn): CurrentStep {
  if (turn.isHeld) return { type: 'held' }
  if (isWaiting(turn)) return { type: 'waiting' }
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

/** The step of the sub-agent that works for a call is more precise than the call. */
function deepest(turn: Turn, { children, label, detail }: Call): CurrentStep {
  const child = children
    .map((id) => turn.runs.get(id))
    .findLast((run) => run !== undefined && run.endedAt === undefined)
  const below = child && stepOf(turn, child)
  if (below?.type === 'call') return below
  return { type: 'call', label, ...(detail === undefined ? undefined : { detail }) }
}

/** The calls that wait for a person, in every run, oldest first. */
export function openAsksOf(turn: Turn): readonly Call[] {
  if (turn.openAsks === 0) return []
  return callsOf(turn).filter(isAsking)
}

/** Every call that asked a person something, open or not. */
export function asksOf(turn: Turn): readonly Call[] {
  return callsOf(turn).filter(({ approval, connection }) => approval ?? connection)
}

/** Every call of a turn, in every run, oldest first. */
export function callsOf(turn: Turn): readonly Call[] {
  const calls: Call[] = []
  for (const run of turn.runs.values())
    for (const { items } of run.iterations)
      for (const item of items) if (item.type === 'call') calls.push(item)
  return calls.toSorted((a, b) => a.key - b.key)
}

/** What usage cost, charged and estimated together. */
export function costOf(usage: Usage | undefined): { readonly usd: number; readonly isEstimate: boolean } {
  if (!usage) return { usd: 0, isEstimate: false }
  return { usd: usage.chargedUsd + usage.estimatedUsd, isEstimate: usage.estimatedUsd > 0 }
}
