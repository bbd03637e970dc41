import type { OpenCall, OpenRun, OpenTurn, ThreadDraft } from './thread-draft.ts'
import type { Call, EventOf, Item } from './thread-view.ts'
import { isAsking, isOpen } from './thread-view.ts'

// The events that change one call.

export function writeArguments(draft: ThreadDraft, run: OpenRun, event: EventOf<'tool-args-delta'>): void {
  const { callId, tool, delta } = event
  const call = draft.callOf(run, callId) ?? draft.addCall(run, event, { callId, tool, label: '' })
  if (call.status === 'writing') call.argumentsText += delta
}

/** A call that starts again after a wait or a crash keeps its row. */
export function startCall(draft: ThreadDraft, run: OpenRun, event: EventOf<'tool-start'>): void {
  const call = draft.callOf(run, event.callId) ?? draft.addCall(run, event, event)
  if (call.status === 'writing') call.startedAt = event.at
  if (!isOpen(call)) return
  call.tool = event.tool
  call.label = event.label
  if (event.detail !== undefined) call.detail = event.detail
  if (event.app) call.app = event.app
  call.arguments = event.arguments
  call.argumentsText = ''
  if (call.status === 'writing') call.status = 'running'
}

export function endCall(draft: ThreadDraft, turn: OpenTurn, run: OpenRun, event: EventOf<'tool-end'>): void {
  const { callId, tool, ok, output, outputBytes, durationMs, failure } = event
  const call = draft.callOf(run, callId) ?? draft.addCall(run, event, { callId, tool, label: tool })
  if (isAsking(call)) turn.openAsks--
  call.status = ok ? 'ok' : failure?.category === 'stopped' ? 'stopped' : 'failed'
  call.endKey = event.seq
  call.output = output
  call.outputBytes = outputBytes
  call.durationMs = durationMs
  if (failure) call.failure = failure
}

export function askApproval(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  event: EventOf<'approval-request'>,
): void {
  const {
    callId,
    tool,
    label,
    approvalId: id,
    expiresAt,
    effect = 'write',
    app,
    limits,
    hidden,
    reason,
    agent,
  } = event
  const call = draft.callOf(run, callId) ?? draft.addCall(run, event, { callId, tool, label })
  markAsked(turn, call)
  call.status = 'asking'
  if (app) call.app = app
  const more = {
    ...(agent !== undefined && { agent }),
    ...(limits && { limits }),
    ...(hidden && { hidden }),
    ...(reason && { reason }),
  }
  call.approval = { id, label, arguments: event.arguments, effect, ...more, expiresAt }
}

export function answerApproval(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  { approvalId, decision }: EventOf<'approval-answer'>,
): void {
  const call = draft.findCall(run, (item) => item.approval?.id === approvalId)
  if (!call?.approval) return
  if (isAsking(call)) turn.openAsks--
  if (call.status === 'asking') call.status = 'running'
  call.approval = { ...call.approval, decision }
}

export function askConnection(
  draft: ThreadDraft,
  turn: OpenTurn,
  run: OpenRun,
  event: EventOf<'connection-request'>,
): void {
  const { callId, connectionId: id, toolkit, name } = event
  const call = draft.callOf(run, callId) ?? draft.addCall(run, event, { callId, tool: '', label: name })
  markAsked(turn, call)
  call.status = 'connecting'
  call.connection = { id, toolkit, name }
}

function markAsked(turn: OpenTurn, call: OpenCall): void {
  if (!isAsking(call)) turn.openAsks++
  turn.hasAsked = true
}

/** Stops every open call of a run that has ended. */
export function closeCalls(draft: ThreadDraft, turn: OpenTurn, run: OpenRun, endKey: number): void {
  for (const [index, { items }] of run.iterations.entries()) {
    if (!items.some(isOpenCall)) continue
    dropUnfinished(draft, run, index)
    const iteration = draft.iterationAt(run, index)
    iteration.items = iteration.items.map((item) => {
      if (!isOpenCall(item)) return item
      if (isAsking(item)) turn.openAsks--
      return { ...item, status: 'stopped', endKey }
    })
  }
}

/** Removes the calls that the model began to write and never made. */
export function dropUnfinished(draft: ThreadDraft, run: OpenRun, index: number): void {
  if (!run.iterations[index]?.items.some(isUnfinished)) return
  const iteration = draft.iterationAt(run, index)
  iteration.items = iteration.items.filter((item) => !isUnfinished(item))
}

export const isUnfinished = (item: Item): boolean => item.type === 'call' && item.status === 'writing'
const isOpenCall = (item: Item): item is Call => item.type === 'call' && isOpen(item)
