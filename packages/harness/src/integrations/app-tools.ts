import type { Offer, ToolSource } from '../seams/seams.ts'
import type { CallPreparation, Surface } from '../turn/tool/surface.ts'
import { createSurface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { Directory } from './directory/directory.ts'
import { createAppKnowledge } from './app-knowledge.ts'
import { DELEGATE } from './tool-names.ts'

/** Resolves the calls of a reply that name actions of apps, on top of a surface. */
export type PrepareActions = (
  calls: readonly ToolCall[],
  context: CallPreparation,
  surface: Surface,
) => Promise<Surface> | undefined

/**
 * The orchestrator's view of a user's apps. The tools never change. The connected apps are listed at the start of a new
 * conversation, and each later change is one notice at the point the conversation has reached.
 */
export function createAppTools(
  directory: Directory,
  userId: string,
  tools: readonly Tool[],
  prepare: PrepareActions,
): ToolSource {
  const knowledge = createAppKnowledge(
    directory,
    userId,
    new Set(tools.map(({ name }) => name)).add(DELEGATE),
  )
  const plain = createSurface(tools)

  const toSurface = (announced: readonly string[]): Surface => {
    const surface: Surface = {
      ...createSurface(tools),
      tools: plain.tools,
      announced,
      prepare: (calls, context) => prepare(calls, context, surface),
    }
    return surface
  }

  let latest = toSurface([])

  /** The same object while nothing changed. */
  function surfaceFor(announced: readonly string[]): Surface {
    if (latest.announced?.join('\n') !== announced.join('\n')) latest = toSurface(announced)
    return latest
  }

  return {
    // Never a surface that is offered now: it stands for an earlier state.
    recall: toSurface,
    current(since): Offer {
      const { announced, ...known } = knowledge.current(since?.announced)
      // Unknown is not "none": what was last announced holds until more is known.
      return { ...known, surface: announced ? surfaceFor(announced) : (since ?? surfaceFor([])) }
    },
  }
}
