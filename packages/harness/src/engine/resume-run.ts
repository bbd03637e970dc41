import { GO_ON, replyWasCut } from '../context/notices.ts'
import type { Guard } from '../guards/guard.ts'
import { UNKNOWN_END } from '../tool-path/unknown-end.ts'
import type { PastReply, PastRun } from '../turn/archive.ts'
import type { AssistantMessage, Message } from '../turn/message/message.ts'
import { callsOf, textOf } from '../turn/message/message.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import { prepareCalls } from './prepare-calls.ts'
import { guessUsage } from './reply-builder.ts'
import { countUsage } from './stream-reply.ts'
import type { PastBatch } from './run-tool-calls.ts'
import { runToolCalls } from './run-tool-calls.ts'
import { goesOn } from './spawned-runs.ts'
import { readResultCalls, readResultText } from './structured-output.ts'
import type { Ending, Turn } from './turn.ts'
import { addNotice, append, notifyObservers } from './turn.ts'

/**
 * Resumes a run after a crash or a wait. Messages are kept and finished calls are not run again; a call with an unknown
 * outcome is reported as interrupted. Undefined: the loop continues with the next iteration.
 */
export async function resumeRun(turn: Turn, past: PastRun): Promise<Ending | undefined> {
  const { run, state } = turn
  for (const reply of past.replies) replay(turn.guards, reply)
  await notifyObservers(turn, (observer) => observer.turnResumed?.(run))
  await run.report({ type: 'turn-resume', iteration: past.iteration })
  state.iterations = past.iteration
  run.refusals.noteResumed(run.runId)
  await turn.spawned?.resume(past)
  if (past.open) return finishCalls(turn, past, past.open)
  if (past.partial.trim() !== '') return keepPartial(turn, past)
  const { last } = past
  if (!last) await addNotice(turn, { text: GO_ON }, 1)
  else if (isAnswer(last)) return finishAnswer(turn, last)
  // No reply of this iteration was kept, so it is repeated.
  if (!past.hasReplied && state.iterations > 0) state.iterations--
  return undefined
}

async function finishCalls(turn: Turn, past: PastRun, open: PastReply): Promise<Ending | undefined> {
  const calls = callsOf(open.message)
  const surface = await prepareCalls(turn, calls, turn.tools.current().surface)
  const reply = { text: textOf(open.message), calls }
  const { ending } = await runToolCalls(turn, reply, surface, past.iteration, toBatch(past, open, surface))
  return ending ?? (turn.output && readResultCalls(turn, turn.output, calls, surface))
}

function toBatch({ intents }: PastRun, { finished }: PastReply, surface: Surface): PastBatch {
  return {
    resultOf: ({ id }) => finished.get(id)?.result,
    // Only a call that changes something has an intent, whatever its tool says now.
    unknownOutcomeOf: (call) => (intents.has(call.id) ? interrupted(call, surface) : undefined),
    mayRepeat: (call) => surface.resolve(call).tool?.honoursKey === true,
  }
}

const interrupted = (call: ToolCall, surface: Surface): ToolOutcome =>
  fail(
    `"${surface.resolve(call).name}" was interrupted: it had been started, and nobody saw how it ended. ${UNKNOWN_END}`,
    { interrupted: true },
  )

/** Keeps text that was shown, marked as cut. No call in it was complete. */
async function keepPartial(turn: Turn, past: PastRun): Promise<undefined> {
  const { partial, iteration } = past
  if (!past.isCounted) await countUsage(turn, guessUsage(turn, partial), iteration, 0)
  turn.state.unfinished += partial
  turn.state.cuts++
  await append(turn, { role: 'assistant', parts: [{ type: 'text', text: partial }], cut: true })
  await append(turn, replyWasCut())
}

/** The answer was recorded and the end of the turn was not. */
async function finishAnswer(turn: Turn, message: AssistantMessage): Promise<Ending | undefined> {
  if (message.cut) await append(turn, replyWasCut())
  else if (turn.inbox.isEmpty && !(await goesOn(turn))) {
    const text = turn.state.unfinished + textOf(message)
    return turn.output ? readResultText(turn, turn.output, text) : { type: 'done', text }
  }
  return undefined
}

const isAnswer = (message: Message): message is AssistantMessage =>
  message.role === 'assistant' && callsOf(message).length === 0

/** Shows the guards a past reply, so that they count on from there. Their verdicts are ignored. */
function replay(guards: readonly Guard[], { message, finished }: PastReply): void {
  const calls = callsOf(message)
  for (const guard of guards) guard.beforeCalls?.({ text: textOf(message), calls })
  for (const call of calls) {
    const past = finished.get(call.id)
    if (!past) continue
    const { result, polls } = past
    for (const guard of guards) guard.afterCall?.({ call, result, polls })
  }
}
