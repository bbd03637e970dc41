import type { ConnectionRow } from '@capstan/protocol'
import type { PreparedAgent } from '../../agents/agent-definition.ts'
import { createResultTools } from '../../agents/result-tools.ts'
import type { ArtifactStore } from '../../ports/artifact-store.ts'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Action, Connector } from '../../ports/connector.ts'
import { aliasTools } from '../../seams/tool-sources/derived-tools.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Asker } from '../../turn/asker.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { ToolContext } from '../../turn/tool/tool.ts'
import { toJsonSchema } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { findAccount } from '../connections/accounts.ts'
import type { Connections } from '../connections/connections.ts'
import type { ConnectorSet } from '../connector-set.ts'
import type { Directory } from '../directory/directory.ts'
import type { ListedToolkit } from '../directory/snapshot.ts'
import { findAction, toSlug } from '../directory/toolkit-slug.ts'
import { isReservedName } from '../../turn/tool/reserved-names.ts'
import { applyChoice } from './action-effects.ts'
import type { AppAction } from './app-actions.ts'
import { toAppActions } from './app-actions.ts'
import { notAccepted, splitByScope, toActionTools } from './action-tools.ts'
import type { ActionTool } from './allowed-actions.ts'
import { createAllowedActions } from './allowed-actions.ts'
import { findToolkit } from './find-toolkit.ts'
import { rankActions } from './rank-actions.ts'
import { notConnected, notReachable } from './refusals.ts'
import { toContext } from './to-context.ts'
import { watchScopes } from './watch-scopes.ts'

/** What is needed to set up a sub-agent for an app. */
export interface PrepareOptions {
  readonly userId: string
  readonly connectors: Pick<ConnectorSet, 'get'>
  readonly store: ConnectionStore
  readonly directory: Directory
  readonly connections: Connections
  /** Called after every list of actions that was asked for; with the app whose list could not be read. */
  readonly onActions?: (failure?: { readonly source: string; readonly toolkit: string }) => void
  /** Where large results are kept; with it comes the tool that reads further parts of them. */
  readonly artifacts?: ArtifactStore
  /** Answers questions about large results; needs `artifacts`. */
  readonly ask?: Asker
}

/** For a service to list its actions. */
const LIST_TIMEOUT_MS = 15_000
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
  const slug = toSlug(task.toolkit)
  const toolkit = await findToolkit(slug, task.account, options)
  if ('refusal' in toolkit) return toolkit
  const connection = findAccount(toolkit.connections, task.account)
  const connector = options.connectors.get(toolkit.connector)
  if (!connection || !connector) return { refusal: notConnected(toolkit) }
  const listed = await readActions({ toolkit, connection, connector, signal }, options)
  if ('refusal' in listed) return listed
  const chosen = await options.store.actionEffects(options.userId, slug)
  const actions = toAppActions(listed, slug).map((action) =>
    applyChoice(action, chosen.get(action.serviceName)),
  )
  const { source, shown, others, gated } = await toSource(
    task,
    { slug, toolkit, connection, connector, actions },
    options,
  )
  return {
    // A model does not always write the name of an action exactly.
    tools: aliasTools(source, (named, names) => {
      if (isReservedName(named) || namesOtherApp(named, slug, options)) return undefined
      const callable = actions.filter((action) => names.includes(action.name))
      const found = findAction(callable, named, slug)
      return 'action' in found ? found.action.name : undefined
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

/** Whether a name begins with another app of the user: such a call never reaches this one. */
function namesOtherApp(named: string, slug: string, { directory, userId }: PrepareOptions): boolean {
  const asked = `${toSlug(named)}_`
  const others = (directory.last(userId)?.toolkits ?? []).filter((one) => one.slug !== slug)
  return others.some((one) => asked.startsWith(`${one.slug}_`)) && !asked.startsWith(`${slug}_`)
}

interface App {
  readonly toolkit: ListedToolkit
  readonly connection: ConnectionRow
  readonly connector: Connector
}

async function readActions(
  { toolkit, connection, connector, signal }: App & { readonly signal: AbortSignal },
  { connections, onActions }: PrepareOptions,
): Promise<readonly Action[] | { readonly refusal: ToolOutcome }> {
  const name = sanitizeLine(toolkit.name, 60)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)])
  try {
    const actions = await connector.actions(connection, limit)
    onActions?.()
    return actions
  } catch (error) {
    if ((error as { status?: unknown } | undefined)?.status === 401) {
      onActions?.()
      const reason = notAccepted(name)
      await connections.expire(connection.id, reason, connection.updatedAt)
      return {
        refusal: notConnected({ ...toolkit, connections: [], standing: { status: 'expired', reason } }),
      }
    }
    const { cannotStart } = (error ?? {}) as { cannotStart?: unknown }
    if (typeof cannotStart === 'string')
      await connections.markFailed(connection.id, cannotStart, connection.updatedAt)
    if (!signal.aborted) onActions?.({ source: connector.id, toolkit: toolkit.slug })
    return { refusal: notReachable(name, error) }
  }
}

async function toSource(
  { prompt, context = '' }: Task,
  {
    slug,
    toolkit,
    connection,
    connector,
    actions,
  }: App & { readonly slug: string; readonly actions: readonly AppAction[] },
  options: PrepareOptions,
) {
  const { store, connections } = options
  const scopes = await watchScopes(slug, options)
  const { allowed, gated } = splitByScope(actions, scopes())
  const { shown: best, others } = rankActions(allowed, `${prompt} ${context}`)
  const known = await store.knownActions(connection.id)
  const account = { connection, connector, store, connections, name: sanitizeLine(toolkit.name, 60), scopes }
  const toTools = (some: readonly AppAction[]) => toActionTools(some, known, account)
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
