import type { AppName } from '@capstan/protocol'
import type { Call, Turn } from './thread-view.ts'
import { toName } from './to-name.ts'

/** The app that a call, or one of the calls above it, works with. */
export function appOf(call: Call, turn: Turn): AppName | undefined {
  const own = call.app ?? call.connection ?? namedIn(call)
  if (own) return own
  const parent = turn.runs.get(call.runId)?.parent
  if (!parent) return undefined
  const above = turn.runs
    .get(parent.runId)
    ?.iterations.flatMap(({ items }) => items)
    .find((item): item is Call => item.type === 'call' && item.callId === parent.callId)
  return above && appOf(above, turn)
}

/** Tools that work with apps take the slug of one as an argument. */
function namedIn({ arguments: given }: Call): AppName | undefined {
  if (typeof given !== 'object' || given === null || !('toolkit' in given)) return undefined
  const { toolkit } = given
  return typeof toolkit === 'string' && toolkit !== '' ? { toolkit, name: toName(toolkit) } : undefined
}
