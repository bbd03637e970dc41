import type { PreparedAgent } from '../../agents/agent-definition.ts'
import { createResultTools } from '../../agents/result-tools.ts'
import type { ArtifactStore } from '../../ports/artifact-store.ts'
import { aliasTools } from '../../seams/tool-sources/derived-tools.ts'
import type { Asker } from '../../turn/asker.ts'
import type { JsonObject } from '../../turn/json.ts'
import { isReservedName } from '../../turn/tool/reserved-names.ts'
import type { Tool, ToolContext } from '../../turn/tool/tool.ts'
import { toJsonSchema } from '../../turn/tool/tool.ts'
import { splitByScope } from './action-tools.ts'
import type { ActionTool } from './allowed-actions.ts'
import { createAllowedActions } from './allowed-actions.ts'
import { findMeantAction } from './find-meant-action.ts'
import type { FollowedApp } from './follow-actions.ts'
import { followActions } from './follow-actions.ts'
import type { OpenApp, OpenAppOptions } from './open-app.ts'
import { openApp } from './open-app.ts'
import { notAllowed } from './refusals.ts'
import { rankActions } from './rank-actions.ts'
import { toContext } from './to-context.ts'

/** What is needed to set up a sub-agent for an app. */
export interface PrepareOptions extends OpenAppOptions {
  /** Where large results are kept; with it comes the tool that reads further parts of them. */
  readonly artifacts?: ArtifactStore
  /** Answers questions about large results; needs `artifacts`. */
  readonly ask?: Asker
}

/** Larger schemas are too much for some providers. Calls are then written as text. */
const MAX_SCHEMA_BYTES = 100_000

interface Task {
  readonly toolkit: string
  readonly prompt: string
  readonly context?: string
  readonly account?: string
}

/** Gives a sub-agent the actions of one app, or a refusal that says why it cannot work there. */
export async function prepareAgent(
  args: JsonObject,
  { signal }: ToolContext,
  options: PrepareOptions,
): Promise<PreparedAgent> {
  const task = args as unknown as Task
  const app = await openApp(task, signal, options)
  if ('refusal' in app) return app
  const { toolkit, connection, connector } = app
  const followed = followActions(app, options)
  const { source, shown, others, gated } = toSource(task, followed, options)
  return {
    tools: aliasTools(source, (named, names) => findTool(named, names, followed.now(), options)),
    context: toContext(toolkit, {
      account: connection.label,
      others,
      gated,
      instructions: connector.instructions?.(connection),
    }),
    // A call that a person approved runs in this account, even if the default changes in the meantime.
    setup: { ...args, account: connection.id },
    ...(schemaBytes(shown) > MAX_SCHEMA_BYTES ? { dialect: 'pformat' as const } : undefined),
  }
}

/**
 * The action that a name means: a model does not always write it exactly. One that the user does not allow becomes a tool
 * that says so.
 */
function findTool(
  named: string,
  names: readonly string[],
  app: OpenApp,
  options: PrepareOptions,
): string | Tool | undefined {
  if (isReservedName(named)) return undefined
  const callable = app.actions.filter((action) => names.includes(action.name))
  const found = findMeantAction(callable, named, app.slug, options)
  if (found) return found.name
  const { gated } = splitByScope(app.actions, app.scopes())
  const off = findMeantAction(gated, named, app.slug, options)
  const [made] = off ? app.toTools([off]) : []
  return off && made && { ...made.tool, unavailable: notAllowed(off, app.toolkit) }
}

function toSource({ prompt, context = '' }: Task, app: FollowedApp, options: PrepareOptions) {
  const { actions, scopes } = app.now()
  const { allowed, gated } = splitByScope(actions, scopes())
  const { shown: best, others } = rankActions(allowed, `${prompt} ${context}`)
  const listed = app.toTools(best)
  const own = createResultTools(options)
  const source = createAllowedActions({ own, listed, unlisted: app.toTools(others), app })
  return { source, shown: listed, others, gated }
}

function schemaBytes(tools: readonly ActionTool[]): number {
  const texts = tools.map(
    ({ tool: { name, description, input } }) => name + description + JSON.stringify(toJsonSchema(input)),
  )
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
