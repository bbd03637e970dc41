import type { ConnectionRow, ScopeSettings } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Action, Connector } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Effect, Tool, ToolContext } from '../../turn/tool/tool.ts'
import { defineTool, reachesBeyond } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { applyChoice, isRewritten } from './action-effects.ts'
import type { ActionTool } from './allowed-actions.ts'
import type { AppAction } from './app-actions.ts'
import type { Connections } from '../connections/connections.ts'
import { notAllowed } from './refusals.ts'

/** An app, an account in it, and how to reach it. */
export interface AppAccount {
  readonly connection: ConnectionRow
  readonly connector: Connector
  readonly store: ConnectionStore
  readonly connections: Connections
  /** What people call the app. */
  readonly name: string
  /** Awaited before a call that was made has its result. */
  readonly afterCall?: () => Promise<void>
}

/**
 * Actions as tools. An action whose definition was rewritten since it was last used counts as `admin`, so that a person
 * is asked before it runs under its old name. A call that the service refuses with 401 marks the connection as expired.
 */
export function toActionTools(
  actions: readonly AppAction[],
  known: ReadonlyMap<string, string>,
  account: AppAccount,
): readonly ActionTool[] {
  return actions.map((action) => ({
    action,
    tool: toTool(action, isRewritten(action, known.get(action.serviceName)), account),
  }))
}

function toTool(action: AppAction, hasChanged: boolean, account: AppAccount): Tool {
  const { connection, connector, store, connections, name, afterCall } = account
  return defineTool({
    name: action.name,
    description: hasChanged
      ? `(Its definition has changed since it was last used.) ${sanitizeLine(action.description, 2_000)}`
      : sanitizeLine(action.description, 2_000),
    input: action.input,
    effect: hasChanged ? 'admin' : action.effect,
    ...(action.returns ? { returns: action.returns } : undefined),
    ...(action.destinations ? { destinations: action.destinations } : undefined),
    app: { toolkit: connection.toolkit, name },
    connectionId: connection.id,
    definitionDigest: action.digest,
    isThirdParty: true,
    label: () => ({
      label: `${name}: ${action.name.replaceAll(/[_-]+/g, ' ').trim()}`,
      ...(connection.label ? { detail: connection.label } : {}),
    }),
    async run(args, { signal, idempotencyKey, run, callId }: ToolContext): Promise<ToolOutcome> {
      // The scope or the connection may have been withdrawn since the call was made, on any node: only the store knows.
      const { userId, toolkit } = connection
      const [scopes, chosen, now] = await Promise.all([
        store.scopes(userId, toolkit),
        store.actionEffects(userId, toolkit),
        store.get(connection.id),
      ])
      if (!scopes[action.effect]) return notAllowed(action, { name, slug: toolkit })
      const { effect } = applyChoice(
        { ...action, effect: action.judgedEffect },
        chosen.get(action.serviceName),
      )
      if (reachesBeyond(effect, action.effect)) return raised(effect, name)
      if (now?.status !== 'active') return notConnectedAnyMore(name)
      const call = { signal, idempotencyKey, caller: { run, callId } }
      const outcome = await connector.execute(now, action.serviceName, args, call)
      if (outcome.httpStatus === 401) {
        await connections.expire(connection.id, notAccepted(name), now.updatedAt)
      } else if (outcome.ok) {
        await store.rememberActions(connection.id, new Map([[action.serviceName, action.digest]]))
      }
      await afterCall?.()
      return outcome
    },
  })
}

/** The problem of a connection whose sign-in the service refuses. */
export const notAccepted = (name: string): string => `${name} did not accept the sign-in any more.`

const notConnectedAnyMore = (name: string): ToolOutcome =>
  fail(`${name} is not connected any more. Nothing was done.`, { errorCode: 'not_connected' })

const raised = (effect: Effect, name: string): ToolOutcome =>
  fail(`The user now counts this action of ${name} as ${effect}. Nothing was done. Start the task again.`, {
    deniedBy: 'policy',
  })

/** The actions the user allows in this toolkit, and those they would have to allow first. Pure. */
export function splitByScope<Kind extends Action>(
  actions: readonly Kind[],
  scopes: ScopeSettings,
): { readonly allowed: readonly Kind[]; readonly gated: readonly Kind[] } {
  const isAllowed = (effect: Effect) => scopes[effect]
  return {
    allowed: actions.filter(({ effect }) => isAllowed(effect)),
    gated: actions.filter(({ effect }) => !isAllowed(effect)),
  }
}
