import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Action, Connector } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Effect, Tool, ToolContext } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { ActionTool } from './allowed-actions.ts'
import type { Connections } from '../connections/connections.ts'

/** An app, an account in it, and how to reach it. */
export interface AppAccount {
  readonly connection: ConnectionRow
  readonly connector: Connector
  readonly store: ConnectionStore
  readonly connections: Connections
  /** What people call the app. */
  readonly name: string
  /** What the user allows in it now. */
  readonly scopes: () => ScopeSettings
}

/**
 * Actions as tools. An action whose definition was rewritten since it was last used counts as `admin`, so that a person
 * is asked before it runs under its old name. A call that the service refuses with 401 marks the connection as expired.
 */
export function toActionTools(
  actions: readonly Action[],
  known: ReadonlyMap<string, string>,
  account: AppAccount,
): readonly ActionTool[] {
  return actions.map((action) => {
    const before = known.get(action.name)
    const isRewritten = before !== undefined && before !== action.digest
    return { action, tool: toTool(action, isRewritten, account) }
  })
}

function toTool(action: Action, isRewritten: boolean, account: AppAccount): Tool {
  const { connection, connector, store, connections, name, scopes } = account
  return defineTool({
    name: action.name,
    description: isRewritten
      ? `(Its definition has changed since it was last used.) ${sanitizeLine(action.description, 2_000)}`
      : sanitizeLine(action.description, 2_000),
    input: action.input,
    isThirdParty: true,
    effect: isRewritten ? 'admin' : action.effect,
    app: { toolkit: connection.toolkit, name },
    label: () => ({
      label: `${name}: ${action.name.replaceAll(/[_-]+/g, ' ').trim()}`,
      ...(connection.label ? { detail: connection.label } : {}),
    }),
    async run(args, { signal, idempotencyKey }: ToolContext): Promise<ToolOutcome> {
      // The scope or the connection may have been withdrawn since the call was made.
      if (!scopes()[action.effect]) return notAllowed(action, name)
      const now = await store.get(connection.id)
      if (now?.status !== 'active') return notConnectedAnyMore(name)
      const call = { signal, idempotencyKey }
      const outcome = await connector.execute(now, action.name, args, call)
      if (outcome.httpStatus === 401) {
        await connections.expire(connection.id, notAccepted(name), now.updatedAt)
      } else if (outcome.ok) {
        await store.rememberActions(connection.id, new Map([[action.name, action.digest]]))
      }
      return outcome
    },
  })
}

/** The problem of a connection whose sign-in the service refuses. */
export const notAccepted = (name: string): string => `${name} did not accept the sign-in any more.`

const notConnectedAnyMore = (name: string): ToolOutcome =>
  fail(`${name} is not connected any more. Nothing was done.`, { errorCode: 'not_connected' })

const notAllowed = ({ effect }: Action, name: string): ToolOutcome =>
  fail(`The user does not allow ${effect} actions in ${name}. Only they can change that.`, {
    deniedBy: 'policy',
  })

/** The actions the user allows in this toolkit, and those they would have to allow first. Pure. */
export function splitByScope(
  actions: readonly Action[],
  scopes: ScopeSettings,
): { readonly allowed: readonly Action[]; readonly gated: readonly Action[] } {
  const isAllowed = (effect: Effect) => scopes[effect]
  return {
    allowed: actions.filter(({ effect }) => isAllowed(effect)),
    gated: actions.filter(({ effect }) => !isAllowed(effect)),
  }
}
