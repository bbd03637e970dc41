import type { Call, Turn } from './thread-view.ts'
import { appOf } from './app-of.ts'
import { callsOf } from './turn-view.ts'

/**
 * The failed calls of a turn that nothing made good, oldest first. Of a call and the calls of its sub-agents only the
 * innermost are listed: they know the reason. What a person refused is no failure, and neither is
 * a write that was done already.
 */
export function openFailuresOf(turn: Turn): readonly Call[] {
  const calls = callsOf(turn)
  const open = calls.filter((call) => isFailure(call) && !isMadeGood(call, turn, calls))
  const above = new Set(open.flatMap((call) => ancestorsOf(call, turn)))
  return open.filter(({ runId, callId }) => !above.has(`${runId}/${callId}`))
}

const isFailure = ({ status, failure }: Call): boolean =>
  status === 'failed' && failure?.class !== 'denied_by_user' && failure?.detail?.kind !== 'done-already'

function isMadeGood(call: Call, turn: Turn, calls: readonly Call[]): boolean {
  // Nobody knows whether it took effect, and another try does not change that.
  if (call.failure?.class === 'interrupted') return false
  if (wasConnectedSince(call, turn)) return true
  const later = calls.filter(({ key, status }) => key > call.key && status === 'ok')
  // What the model can correct by itself it has corrected when it went on with success.
  if (call.failure?.category === 'fixable') return later.some(({ runId }) => runId === call.runId)
  return later.some((other) => isSameCall(other, call))
}

/** Whether the app that a call missed was connected later in the same turn. */
export function wasConnectedSince(call: Call, turn: Turn): boolean {
  const kind = call.failure?.class
  const app = appOf(call, turn)
  if (!app || (kind !== 'not_connected' && kind !== 'bad_credentials')) return false
  return callsOf(turn).some(
    (later) => later.connection?.toolkit === app.toolkit && later.status === 'ok' && later.key > call.key,
  )
}

const isSameCall = (a: Call, b: Call): boolean =>
  a.tool === b.tool && JSON.stringify(a.arguments) === JSON.stringify(b.arguments)

/** The calls whose sub-agents a call belongs to. */
function ancestorsOf({ runId }: Call, turn: Turn): readonly string[] {
  const above: string[] = []
  for (let run = turn.runs.get(runId); run?.parent; run = turn.runs.get(run.parent.runId))
    above.push(`${run.parent.runId}/${run.parent.callId}`)
  return above
}
