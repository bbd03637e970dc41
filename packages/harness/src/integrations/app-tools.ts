import type { Offer, ToolSource } from '../seams/seams.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { CallPreparation, Surface } from '../turn/tool/surface.ts'
import { createSurface } from '../turn/tool/surface.ts'
import type { ToolCall } from '../turn/tool/tool-call.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { listAccounts } from './connections/accounts.ts'
import { toAnnounced, toNotices } from './app-notices.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectorySnapshot, ListedToolkit } from './directory/snapshot.ts'
import { hasSeveralAccounts, isConnected } from './directory/snapshot.ts'
import { CALL, CONNECT, DELEGATE, FIND } from './tool-names.ts'

/** How many connectable apps are named to the model. The rest can be asked for by name. */
const MAX_OFFERED = 20

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
      directory.touch(userId)
      const snapshot = directory.last(userId)
      const problem = directory.problem(userId)
      const stale = problem ? { problem } : undefined
      // Unknown is not "none": what was last announced holds until more is known.
      if (!snapshot)
        return { surface: since ?? surfaceFor([]), notices: [], baseline: toBaseline(undefined), ...stale }
      const surface = surfaceFor(toAnnounced(snapshot))
      const notices =
        since?.announced && since !== surface ? toNotices(since.announced, surface.announced!, snapshot) : []
      return { surface, notices, baseline: toBaseline(snapshot), ...stale }
    },
  }
}

function toBaseline(snapshot: DirectorySnapshot | undefined): string {
  if (!snapshot) {
    return `Which apps of the user are connected is not known yet. Try ${FIND} or ${DELEGATE}; they check before they refuse.`
  }
  const connected = snapshot.toolkits.filter(isConnected)
  const others = snapshot.toolkits.filter((toolkit) => !isConnected(toolkit))
  const lines = connected.map((toolkit) => `- ${toolkit.slug}: ${describe(toolkit)}`)
  const offered = others.slice(0, MAX_OFFERED).map(({ slug }) => slug)
  return [
    lines.length > 0
      ? `Connected apps, for ${FIND}, ${CALL} and ${DELEGATE}:\n${lines.join('\n')}`
      : `No app of the user is connected yet.`,
    ...(offered.length > 0 ? [`Apps that can be connected with ${CONNECT}: ${offered.join(', ')}.`] : []),
    'What is connected may change at any time; the conversation then says so.',
  ].join('\n')
}

function describe(toolkit: ListedToolkit): string {
  const about = sanitizeLine(`${toolkit.name}. ${toolkit.description}`, 240)
  return hasSeveralAccounts(toolkit) ? `${about} Accounts: ${listAccounts(toolkit.connections)}.` : about
}
