import type { Surface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Turn } from './turn.ts'

/** The surface that these calls are resolved with. A promise only when something must be read for them first. */
export function prepareCalls(
  { run, services }: Turn,
  calls: readonly ToolCall[],
  surface: Surface,
): Surface | Promise<Surface> {
  const preparing = surface.prepare?.(calls, {
    run,
    async askedAccount(callId) {
      const asked = await services.approvals?.find?.(run.runId, callId)
      return asked?.binding?.connectionId
    },
  })
  return preparing ?? surface
}
