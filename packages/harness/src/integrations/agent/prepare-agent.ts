import type { PreparedAgent } from '../../agents/agent-definition.ts'
import { createResultTools } from '../../agents/result-tools.ts'
import type { ArtifactStore } from '../../ports/artifact-store.ts'
import { aliasTools } from '../../seams/tool-sources/derived-tools.ts'
import type { Asker } from '../../turn/asker.ts'
import type { JsonObject } from '../../turn/json.ts'
import { isReservedName } from '../../turn/tool/reserved-names.ts'
import type { ToolContext } from '../../turn/tool/tool.ts'
import { toJsonSchema } from '../../turn/tool/tool.ts'
import { splitByScope } from './action-tools.ts'
import type { ActionTool } from './allowed-actions.ts'
import { createAllowedActions } from './allowed-actions.ts'
import { findMeantAction } from './find-meant-action.ts'
import type { OpenApp, OpenAppOptions } from './open-app.ts'
import { openApp } from './open-app.ts'
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
  const { slug, toolkit, connection, connector, actions } = app
  const { source, shown, others, gated } = toSource(task, app, options)
  return {
    // A model does not always write the name of an action exactly.
    tools: aliasTools(source, (named, names) => {
      if (isReservedName(named)) return undefined
      const callable = actions.filter((action) => names.includes(action.name))
      return findMeantAction(callable, named, slug, options)?.name
    }),
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

function toSource(
  { prompt, context = '' }: Task,
  { actions, scopes, toTools }: OpenApp,
  options: PrepareOptions,
) {
  const { allowed, gated } = splitByScope(actions, scopes())
  const { shown: best, others } = rankActions(allowed, `${prompt} ${context}`)
  const shown = toTools(best)
  const source = createAllowedActions({
    own: createResultTools(options),
    listed: shown,
    unlisted: toTools(others),
    gated: toTools(gated),
    scopes,
  })
  return { source, shown, others, gated }
}

function schemaBytes(tools: readonly ActionTool[]): number {
  const texts = tools.map(
    ({ tool: { name, description, input } }) => name + description + JSON.stringify(toJsonSchema(input)),
  )
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
