import { noteUserMessage } from '../turn/flow-tracker.ts'
import type { Surface } from '../turn/tool/surface.ts'
import { explainTools } from './explain-tools.ts'
import { deliverReports } from './spawned-runs.ts'
import type { Turn } from './turn.ts'
import { addNotice, append, notifyObservers } from './turn.ts'

/** Recorded with the notices, so that a restart does not announce it again. */
async function recordAnnounced(
  turn: Turn,
  announced: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const isNew = announced.length !== before.length || announced.some((one, index) => one !== before[index])
  if (isNew) await notifyObservers(turn, (observer) => observer.surfaceAnnounced?.(turn.run, announced))
}

/**
 * Reads the current tools and appends what is new: notices of the tool source, reports of sub-agents, then messages
 * that the user sent meanwhile. Never changes the system prompt.
 */
export async function offerTools(turn: Turn, iteration: number): Promise<Surface> {
  const { run, limits, inbox } = turn
  turn.state.iterations = iteration
  const slow = run.report({ type: 'iteration-start', iteration, maxIterations: limits.maxIterations })
  if (slow) await slow
  const before = turn.conversation.surface
  const { surface, notices, problem } = turn.tools.current(before)
  turn.conversation.surface = surface
  run.flow.offered(surface)
  if (problem && problem !== turn.state.problem)
    await run.report({ type: 'surface-stale', iteration, reason: problem.reason })
  turn.state.problem = problem
  for (const notice of notices) await addNotice(turn, notice, iteration)
  await explainTools(turn, surface, iteration)
  if (surface !== before && surface.announced)
    await recordAnnounced(turn, surface.announced, before?.announced)
  if (turn.spawned) await deliverReports(turn, turn.spawned, iteration)
  for (const { text, id } of inbox.drain(iteration)) {
    if (run.depth === 0) {
      noteUserMessage(run.flow, { text, origin: run.origin })
      run.done.clear()
    }
    const queued = id === undefined ? undefined : { queueId: id }
    await append(turn, { role: 'user', parts: [{ type: 'text', text }], delivery: 'steer', ...queued })
    const named = id === undefined ? undefined : { messageId: id }
    await run.report({ type: 'message-deliver', iteration, text, ...named })
  }
  return surface
}
