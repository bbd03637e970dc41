import type { Surface } from '../turn/surface.ts'
import type { Turn } from './turn.ts'
import { addNotice, append } from './turn.ts'

/**
 * Asks what exists now and brings the conversation up to date: notices of the tool source, then what the user
 * sent meanwhile. Only ever appends; the system prompt is never touched.
 */
export async function offerTools(turn: Turn, iteration: number): Promise<Surface> {
  const { run, limits, inbox } = turn
  turn.tally.iterations = iteration
  const slow = run.report({ type: 'iteration-start', iteration, maxIterations: limits.maxIterations })
  if (slow) await slow
  const { surface, notices } = turn.tools.current(turn.conversation.surface)
  turn.conversation.surface = surface
  for (const text of notices) await addNotice(turn, text, iteration)
  for (const { text, id } of inbox.drain(iteration)) {
    const queued = id === undefined ? undefined : { queueId: id }
    await append(turn, { role: 'user', parts: [{ type: 'text', text }], delivery: 'steer', ...queued })
    await run.report({ type: 'message-deliver', iteration, text })
  }
  return surface
}
