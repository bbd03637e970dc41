import type { ScopeSettings } from '@capstan/protocol'
import type { Action } from '../../ports/connector.ts'
import type { ToolSource } from '../../seams/seams.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import type { Tool } from '../../turn/tool/tool.ts'

/** An action, and the tool that was made of it. */
export interface ActionTool {
  readonly action: Action
  readonly tool: Tool
}

/**
 * The actions of an app that the user allows. This may change while a sub-agent works: an action that is withdrawn is gone
 * at the next model call, and one that is allowed is announced. The tools in the request never change.
 */
export function createAllowedActions(options: {
  /** The harness's own tools. They come first, so that no action of a service takes their names. */
  readonly own: readonly Tool[]
  readonly listed: readonly ActionTool[]
  readonly unlisted: readonly ActionTool[]
  readonly gated: readonly ActionTool[]
  readonly scopes: () => ScopeSettings
}): ToolSource {
  const { own, listed, unlisted, gated, scopes } = options
  const live = createLiveTools([...own, ...listed.map(toTool)], { unlisted: unlisted.map(toTool) })
  const ours = new Set(own.map(({ name }) => name))
  const all = [...listed, ...unlisted, ...gated].filter(({ tool }) => !ours.has(tool.name))
  let applied = scopes()
  return {
    current(since) {
      const now = scopes()
      if (!isSameScopes(now, applied)) {
        for (const { action, tool } of all) {
          if (now[action.effect]) live.add(tool)
          else live.remove(tool.name)
        }
        applied = now
      }
      return live.current(since)
    },
  }
}

const toTool = ({ tool }: ActionTool): Tool => tool

/** Whether two scope settings are equal. */
export const isSameScopes = (a: ScopeSettings, b: ScopeSettings): boolean =>
  a.read === b.read && a.write === b.write && a.admin === b.admin
