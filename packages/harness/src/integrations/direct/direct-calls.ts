import type { Tool } from '../../turn/tool/tool.ts'
import type { OpenAppOptions } from '../agent/open-app.ts'
import type { PrepareActions } from '../app-tools.ts'
import { createCallAction, prepareActionCalls } from './call-action.ts'
import { createDirectApps } from './direct-apps.ts'
import { createFindActions } from './find-actions.ts'

/** The tools with which an agent calls the actions of apps itself. Their schemas never change. */
export interface DirectCalls {
  readonly tools: readonly Tool[]
  readonly prepare: PrepareActions
}

/** Direct calls in the apps of one user. */
export function createDirectCalls(options: OpenAppOptions): DirectCalls {
  const { directory, userId } = options
  const apps = createDirectApps(options)
  const callAction = createCallAction(options)
  return {
    tools: [createFindActions(apps, () => directory.last(userId)), callAction],
    prepare: (calls, context, surface) =>
      prepareActionCalls(calls, context, surface, { apps, callAction, options }),
  }
}
