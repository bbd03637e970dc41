import type { ScopeSettings } from '@capstan/protocol'
import type { Action } from '../../ports/connector.ts'
import type { ToolSource } from '../../seams/seams.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { AppAction } from './app-actions.ts'
import type { FollowedApp } from './follow-actions.ts'
import type { OpenApp } from './open-app.ts'

/** An action, and the tool that was made of it. */
export interface ActionTool {
  readonly action: AppAction
  readonly tool: Tool
}

/**
 * The actions of an app that the user allows. They may change while a sub-agent works, at the service or in the settings:
 * an action that is withdrawn is gone at the next model call, and a new or changed one is announced. The tools in the
 * request never change.
 */
export function createAllowedActions(options: {
  /** The harness's own tools. They come first, so that no action of a service takes their names. */
  readonly own: readonly Tool[]
  readonly listed: readonly ActionTool[]
  readonly unlisted: readonly ActionTool[]
  readonly app: FollowedApp
}): ToolSource {
  const { own, listed, unlisted, app } = options
  const live = createLiveTools([...own, ...listed.map(toTool)], { unlisted: unlisted.map(toTool) })
  const ours = new Set(own.map(({ name }) => name))
  const offered = new Map([...listed, ...unlisted].map(({ action }) => [action.name, action]))
  let applied: Applied = { app: app.now(), scopes: app.now().scopes() }

  function apply({ app: { actions }, scopes }: Applied): void {
    const wanted = actions.filter(({ name, effect }) => scopes[effect] && !ours.has(name))
    for (const [name, before] of offered) {
      const now = wanted.find((action) => action.name === name)
      if (now && isSameAction(now, before)) continue
      live.remove(name)
      offered.delete(name)
    }
    for (const { action, tool } of app.toTools(wanted.filter(({ name }) => !offered.has(name)))) {
      if (live.add(tool)) offered.set(action.name, action)
    }
  }

  return {
    current(since) {
      void app.refresh()
      const now = { app: app.now(), scopes: app.now().scopes() }
      if (now.app !== applied.app || !isSameScopes(now.scopes, applied.scopes)) apply(now)
      applied = now
      return live.current(since)
    },
  }
}

interface Applied {
  readonly app: OpenApp
  readonly scopes: ScopeSettings
}

const isSameAction = (a: Action, b: Action): boolean => a.digest === b.digest && a.effect === b.effect

const toTool = ({ tool }: ActionTool): Tool => tool

/** Whether two scope settings are equal. */
export const isSameScopes = (a: ScopeSettings, b: ScopeSettings): boolean =>
  a.read === b.read && a.write === b.write && a.admin === b.admin
