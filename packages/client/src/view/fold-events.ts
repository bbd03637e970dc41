import type { TurnEvent } from '@capstan/protocol'
import {
  answerApproval,
  askApproval,
  askConnection,
  endCall,
  startCall,
  writeArguments,
} from './fold-call.ts'
import {
  countUsage,
  countWait,
  endRun,
  parkTurn,
  resumeTurn,
  retryModel,
  startIteration,
  startRun,
} from './fold-run.ts'
import { ThreadDraft } from './thread-draft.ts'
import type { OpenRun, OpenTurn } from './thread-draft.ts'
import type { EventOf, Streamed, ThreadView } from './thread-view.ts'

/**
 * Folds events into a thread. Pure: the view passed in never changes, and whatever an event does not touch is the same
 * object afterwards, so a screen draws only what changed. The result does not depend on how a list of events is cut
 * into batches. An event that was folded before is skipped, and so is one of an unknown kind. A batch costs what it
 * touches, not what the thread holds.
 */
export function foldEvents(view: ThreadView, events: readonly TurnEvent[]): ThreadView {
  const draft = new ThreadDraft(view)
  for (const event of events) {
    if (!(event.seq > draft.lastSeq)) continue
    draft.lastSeq = event.seq
    if (event.type === 'turn-start') startRun(draft, event)
    else {
      const turn = draft.turnOf(event.runId)
      if (!turn) continue
      applyEvent(draft, turn, draft.runOf(turn, event.runId), event)
      countWait(turn, event.at)
    }
  }
  return draft.finish()
}

function applyEvent(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  event: Exclude<TurnEvent, EventOf<'turn-start'>>,
): void {
  switch (event.type) {
    case 'iteration-start':
      return startIteration(draft, run, event)
    case 'text-delta':
      return addText(draft, run, event, 'text')
    case 'reasoning-delta':
      return addText(draft, run, event, 'thinking')
    case 'tool-args-delta':
      return writeArguments(draft, run, event)
    case 'tool-start':
      return startCall(draft, run, event)
    case 'tool-end':
      return endCall(draft, turn, run, event)
    case 'approval-request':
      return askApproval(draft, turn, run, event)
    case 'approval-answer':
      return answerApproval(draft, turn, run, event)
    case 'connection-request':
      return askConnection(draft, turn, run, event)
    case 'usage-update':
      return countUsage(draft, turn, run, event)
    case 'model-retry':
      return retryModel(draft, run, event)
    case 'turn-park':
      return parkTurn(turn, run, event)
    case 'turn-resume':
      return resumeTurn(draft, turn, run, event)
    case 'turn-end':
      return endRun(draft, turn, run, event)
    case 'message-deliver':
      run.carried = ''
      if (run.id === turn.runId) turn.additions = [...turn.additions, { key: event.seq, text: event.text }]
      return draft.addNote(run, event, { type: 'message', key: event.seq, text: event.text })
    case 'model-wait':
      return draft.addNote(run, event, { type: 'quiet', key: event.seq, limitMs: event.limitMs })
    case 'notice-add':
    case 'guard-nudge':
    case 'history-compact':
    case 'prefix-break':
    case 'surface-stale':
      return addNote(draft, run, event)
  }
}

function addText(
  draft: ThreadDraft,
  run: OpenRun,
  event: EventOf<'text-delta' | 'reasoning-delta'>,
  type: Streamed['type'],
): void {
  const { items } = draft.iterationFor(run, event)
  const last = items.at(-1)
  if (last?.type === type) items[items.length - 1] = { ...last, text: last.text + event.delta }
  else items.push({ type, key: event.seq, text: event.delta })
}

function addNote(
  draft: ThreadDraft,
  run: OpenRun,
  event: EventOf<'notice-add' | 'guard-nudge' | 'history-compact' | 'prefix-break' | 'surface-stale'>,
): void {
  const key = event.seq
  switch (event.type) {
    case 'notice-add': {
      const { text, fact } = event
      return draft.addNote(run, event, { type: 'notice', key, text, ...(fact ? { fact } : undefined) })
    }
    case 'guard-nudge':
      return draft.addNote(run, event, { type: 'nudge', key, guard: event.guard, text: event.text })
    case 'history-compact': {
      const { tokensBefore, tokensAfter } = event
      return draft.addNote(run, event, { type: 'compaction', key, tokensBefore, tokensAfter })
    }
    case 'prefix-break':
      return draft.addNote(run, event, {
        type: 'prefix-break',
        key,
        field: event.field,
        reason: event.reason,
      })
    case 'surface-stale':
      return draft.addNote(run, event, { type: 'stale', key })
  }
}
