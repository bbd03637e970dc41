import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Action, Connector } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { findAccount } from '../connections/accounts.ts'
import type { Connections } from '../connections/connections.ts'
import type { ConnectorSet } from '../connector-set.ts'
import type { Directory } from '../directory/directory.ts'
import type { ListedToolkit } from '../directory/snapshot.ts'
import { toSlug } from '../directory/toolkit-slug.ts'
import { applyChoice } from './action-effects.ts'
import { notAccepted, toActionTools } from './action-tools.ts'
import type { ActionTool } from './allowed-actions.ts'
import type { AppAction } from './app-actions.ts'
import { toAppActions } from './app-actions.ts'
import { findToolkit } from './find-toolkit.ts'
import { notConnected, notReachable } from './refusals.ts'
import { watchScopes } from './watch-scopes.ts'

/** What is needed to work in the apps of a user. */
export interface OpenAppOptions {
  readonly userId: string
  readonly connectors: Pick<ConnectorSet, 'get' | 'changesOf'>
  readonly store: ConnectionStore
  readonly directory: Directory
  readonly connections: Connections
  /** Called after every list of actions that was asked for; with the app whose list could not be read. */
  readonly onActions?: (failure?: { readonly source: string; readonly toolkit: string }) => void
}

/** An app as a model names it. */
export interface AskedApp {
  readonly toolkit: string
  /** The label or the id of an account. Absent: the default one. */
  readonly account?: string | undefined
}

/** An app of a user that is connected now, with its actions. */
export interface OpenApp {
  readonly slug: string
  readonly toolkit: ListedToolkit
  readonly connection: ConnectionRow
  readonly connector: Connector
  /** With the effects that the user chose. */
  readonly actions: readonly AppAction[]
  /** What the user allows in it now. */
  readonly scopes: () => ScopeSettings
  /** `afterCall` is awaited before a call that was made has its result. */
  readonly toTools: (actions: readonly AppAction[], afterCall?: () => Promise<void>) => readonly ActionTool[]
  /** Whether the service changed its actions since they were listed. */
  readonly isStale: () => boolean
}

/** Finds an app and an account in it, and lists its actions; or a refusal that says why nothing can be done there. */
export async function openApp(
  asked: AskedApp,
  signal: AbortSignal,
  options: OpenAppOptions,
): Promise<OpenApp | { readonly refusal: ToolOutcome }> {
  const { store, connections, userId } = options
  const slug = toSlug(asked.toolkit)
  const toolkit = await findToolkit(slug, asked.account, options)
  if ('refusal' in toolkit) return toolkit
  const connection = findAccount(toolkit.connections, asked.account)
  const connector = options.connectors.get(toolkit.connector)
  if (!connection || !connector) return { refusal: notConnected(toolkit) }
  const changesOf = () => options.connectors.changesOf(connector.id, slug)
  const changes = changesOf()
  const listed = await readActions({ toolkit, connection, connector, signal }, options)
  if ('refusal' in listed) return listed
  const chosen = await store.actionEffects(userId, slug)
  const actions = toAppActions(listed, slug).map((action) =>
    applyChoice(action, chosen.get(action.serviceName)),
  )
  const scopes = await watchScopes(slug, options)
  const known = await store.knownActions(connection.id)
  const account = { connection, connector, store, connections, name: sanitizeLine(toolkit.name, 60) }
  const toTools: OpenApp['toTools'] = (some, afterCall) =>
    toActionTools(some, known, { ...account, ...(afterCall ? { afterCall } : undefined) })
  const isStale = () => changesOf() !== changes
  return { slug, toolkit, connection, connector, actions, scopes, toTools, isStale }
}

type Listing = Pick<OpenApp, 'toolkit' | 'connection' | 'connector'> & { readonly signal: AbortSignal }

async function readActions(
  { toolkit, connection, connector, signal }: Listing,
  { connections, onActions }: OpenAppOptions,
): Promise<readonly Action[] | { readonly refusal: ToolOutcome }> {
  const name = sanitizeLine(toolkit.name, 60)
  try {
    const actions = await connector.actions(connection, signal)
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
