import { sumUsage } from '@capstan/protocol'
import { closeCalls, dropUnfinished, isUnfinished } from './fold-call.ts'
import type { OpenRun, OpenTurn, ThreadDraft } from './thread-draft.ts'
import type { EventOf, Iteration, Run } from './thread-view.ts'
import { textOf } from './thread-view.ts'

// The events that change a turn, a run or an iteration.

export function startRun(draft: ThreadDraft, event: EventOf<'turn-start'>): void {
  const { runId, agent, depth, model, parent, text, at } = event
  const run: Run = draft.create({
    id: runId,
    agent,
    depth,
    model,
    text,
    ...(parent ? { parent } : undefined),
    startedAt: at,
    iterations: [],
    carried: '',
  })
  if (parent) return startChild(draft, run, parent)
  if (draft.turnOf(runId)) return
  draft.addTurn({
    key: event.seq,
    runId,
    text,
    attachments: event.attachments ?? [],
    messageIds: event.messageIds ?? (event.messageId === undefined ? [] : [event.messageId]),
    additions: [],
    runs: new Map([[runId, run]]),
    startedAt: at,
    openAsks: 0,
    hasAsked: false,
    waitsFor: [],
    waitedMs: 0,
  })
}

function startChild(draft: ThreadDraft, run: Run, parent: NonNullable<Run['parent']>): void {
  const turn = draft.turnOf(parent.runId)
  if (!turn || turn.runs.has(run.id)) return
  turn.runs.set(run.id, run)
  const call = draft.callOf(draft.runOf(turn, parent.runId), parent.callId)
  if (call) call.children = [...call.children, run.id]
}

export function startIteration(draft: ThreadDraft, run: OpenRun, event: EventOf<'iteration-start'>): void {
  const { iteration, maxIterations, at } = event
  const last = run.iterations.at(-1)
  if (last) {
    run.carried = carriedFrom(run, last, iteration)
    dropUnfinished(draft, run, run.iterations.length - 1)
  }
  const known =
    last && last.number >= iteration ? draft.iterationAt(run, run.iterations.length - 1) : undefined
  if (known) known.maxIterations = maxIterations
  else run.iterations.push(draft.create({ number: iteration, maxIterations, startedAt: at, items: [] }))
}

/** A reply without calls that another iteration follows broke off, and the next one continues it. */
function carriedFrom({ carried }: Run, last: Iteration, next: number): string {
  if (next <= last.number) return carried
  const hasCalls = last.items.some((item) => item.type === 'call')
  return hasCalls ? '' : carried + textOf(last)
}

export function countUsage(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  event: EventOf<'usage-update'>,
): void {
  run.usage = event.total
  // A run that waits for a sub-agent reports its own total only afterwards.
  for (let above = run.parent; above && turn.runs.has(above.runId);) {
    const parent = draft.runOf(turn, above.runId)
    parent.usage = parent.usage ? sumUsage(parent.usage, event.call) : event.call
    above = parent.parent
  }
  const iteration = draft.iterationFor(run, event)
  iteration.usage = iteration.usage ? sumUsage(iteration.usage, event.call) : event.call
  iteration.modelMs = (iteration.modelMs ?? 0) + event.durationMs
}

/** Voids what the iteration has streamed. What it has done stays. */
export function retryModel(draft: ThreadDraft, run: OpenRun, event: EventOf<'model-retry'>): void {
  const { attempt, delayMs, failure, seq: key } = event
  const iteration = draft.iterationFor(run, event)
  iteration.items = iteration.items.filter(
    (item) => item.type !== 'text' && item.type !== 'thinking' && !isUnfinished(item),
  )
  iteration.items.push({ type: 'retry', key, attempt, delayMs, failure })
}

/** A sub-agent that parks adds to what its turn waits for. */
export function parkTurn(turn: OpenTurn, run: OpenRun, { waitsFor }: EventOf<'turn-park'>): void {
  const others = run.id === turn.runId ? [] : turn.waitsFor
  const isNew = (id: string): boolean => others.every((other) => other.id !== id)
  turn.waitsFor = [...others, ...waitsFor.filter(({ id }) => isNew(id))]
}

/** Counts the time in which a person was waited for, from the first open question to the last answer. */
export function countWait(turn: OpenTurn, at: number): void {
  const isWaiting = turn.openAsks > 0 || turn.waitsFor.length > 0
  if (isWaiting === (turn.waitsSince !== undefined)) return
  if (turn.waitsSince !== undefined) turn.waitedMs += Math.max(0, at - turn.waitsSince)
  turn.waitsSince = isWaiting ? at : undefined
}

export function resumeTurn(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  event: EventOf<'turn-resume'>,
): void {
  if (run.id !== turn.runId) return
  // An answer is reported after the turn resumes, and one of several answers leaves the others open.
  const hasWaited = turn.hasAsked || turn.openAsks > 0 || turn.waitsFor.length > 0
  if (!hasWaited) draft.addNote(run, event, { type: 'resume', key: event.seq })
  turn.hasAsked = false
  turn.waitsFor = []
}

export function endRun(draft: ThreadDraft, turn: OpenTurn, run: OpenRun, event: EventOf<'turn-end'>): void {
  const { outcome, at, seq } = event
  run.outcome = outcome
  run.endedAt = at
  run.usage = outcome.usage
  closeCalls(draft, turn, run, seq)
  if (run.id !== turn.runId) return
  for (const child of turn.runs.values())
    if (child.endedAt === undefined) closeCalls(draft, turn, draft.runOf(turn, child.id), seq)
  turn.openAsks = 0
  turn.waitsFor = []
}
