import { SandboxError } from '../ports/sandbox.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'

/** The outcome for a program that could not be confined. Throws every other error again. */
export function refuseUnconfined(error: unknown): ToolOutcome {
  if (!(error instanceof SandboxError)) throw error
  const errorCode = error.reason === 'unavailable' ? 'missing_app' : 'missing_permission'
  return fail(`Nothing was run. ${error.message}`, { errorCode })
}
