import { endsTheTree } from '../../turn/errors.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { CallPreparation, Surface, Target } from '../../turn/tool/surface.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { splitByScope } from '../agent/action-tools.ts'
import { findMeantAction } from '../agent/find-meant-action.ts'
import type { OpenApp, OpenAppOptions } from '../agent/open-app.ts'
import { notAllowed, notReadable, unknownAction } from '../agent/refusals.ts'
import { nameApp } from '../directory/snapshot.ts'
import { CALL } from '../tool-names.ts'
import type { DirectApps } from './direct-apps.ts'

/** Calls an action of an app. The tool path never runs this tool: a prepared surface resolves it to the action. */
export function createCallAction({ directory, userId }: Pick<OpenAppOptions, 'directory' | 'userId'>): Tool {
  return defineTool({
    name: CALL,
    description: 'Calls an action of a connected app.',
    input: CALL_INPUT,
    app: ({ toolkit }) => nameApp(toolkit, directory.last(userId)),
    label: ({ action, toolkit }) => ({
      label: `Call ${nameApp(toolkit, directory.last(userId))?.name ?? 'an app'}`,
      ...(typeof action === 'string' ? { detail: action } : undefined),
    }),
    run: () => fail('The action could not be found. Nothing was done.', { errorCode: 'not_found' }),
  })
}

const CALL_INPUT = {
  type: 'object',
  properties: {
    toolkit: { type: 'string' },
    action: { type: 'string' },
    arguments: { type: 'object' },
    account: { type: 'string' },
  },
  required: ['toolkit', 'action', 'arguments'],
}

interface AskedAction {
  readonly toolkit: string
  readonly action: string
  readonly arguments: JsonObject
  readonly account?: string
}

/**
 * Lists the actions of the apps that these calls name, and resolves each call to the action itself: scopes, approvals,
 * grants, labels and records are those of the action. Undefined when no call names an action.
 */
export function prepareActionCalls(
  calls: readonly ToolCall[],
  context: CallPreparation,
  surface: Surface,
  parts: { readonly apps: DirectApps; readonly callAction: Tool; readonly options: OpenAppOptions },
): Promise<Surface> | undefined {
  const direct = calls.filter((call) => call.tool === CALL && isAskedAction(call.arguments))
  if (direct.length === 0) return undefined
  const resolveOne = async (call: ToolCall): Promise<Target> => {
    const asked = call.arguments as unknown as AskedAction
    const refuse = (unavailable: ToolOutcome): Target => ({
      name: CALL,
      arguments: call.arguments,
      tool: { ...parts.callAction, effect: 'read', unavailable },
    })
    try {
      const account = (await context.askedAccount(call.id)) ?? asked.account
      const app = await parts.apps.open({ toolkit: asked.toolkit, account }, context.run)
      if ('refusal' in app) return refuse(app.refusal)
      const tool = findTool(app, asked.action, parts.options)
      return tool
        ? { name: tool.name, arguments: asked.arguments, tool, via: CALL }
        : refuse(unknownAction(asked.action, app))
    } catch (error) {
      if (endsTheTree(error)) throw error
      return refuse(notReadable())
    }
  }
  return Promise.all(direct.map(resolveOne)).then((resolved) => {
    const targets = new Map(resolved.map((target, index) => [direct[index]!.id, target]))
    return {
      ...surface,
      resolve: (call) => (call.id === undefined ? undefined : targets.get(call.id)) ?? surface.resolve(call),
    }
  })
}

/** The tool of an action. Of one that the user does not allow, a tool that says so. */
function findTool(app: OpenApp, named: string, options: OpenAppOptions): Tool | undefined {
  const { allowed, gated } = splitByScope(app.actions, app.scopes())
  const action = findMeantAction(allowed, named, app.slug, options)
  const off = action ? undefined : findMeantAction(gated, named, app.slug, options)
  const found = action ?? off
  if (!found) return undefined
  // A name that looks like a tool of the harness is left out, as it is for a sub-agent.
  const { tool } = createSurface(app.toTools([found]).map((one) => one.tool)).resolve({
    tool: found.name,
    arguments: {},
  })
  return tool && off ? { ...tool, unavailable: notAllowed(off, app.toolkit) } : tool
}

const isAskedAction = ({ toolkit, action, arguments: args, account }: JsonObject): boolean =>
  typeof toolkit === 'string' &&
  typeof action === 'string' &&
  typeof args === 'object' &&
  args !== null &&
  !Array.isArray(args) &&
  (account === undefined || typeof account === 'string')
