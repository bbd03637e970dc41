import type { ActionEffect, ActionRow, ConnectionRow } from '@capstan/protocol'
import type { ConnectionStore } from '../ports/connection-store.ts'
import type { Action } from '../ports/connector.ts'
import { toActionRow } from './agent/action-effects.ts'
import type { ConnectorSet } from './connector-set.ts'
import type { Directory } from './directory/directory.ts'

/** The actions of an app, or why they cannot be listed. */
export type ListedActions =
  | { readonly type: 'listed'; readonly actions: readonly ActionRow[] }
  | { readonly type: 'not-connected' | 'unavailable' }

/** What became of a choice. */
export type ChoiceReceipt = 'set' | 'unknown' | 'changed' | 'not-connected' | 'unavailable'

/** The actions of the apps of users, for people: what each counts as, why, and how to change it. */
export interface AppActions {
  /** The actions of the user's default account in an app. Never rejects for what the service does. */
  list(userId: string, toolkit: string): Promise<ListedActions>
  /**
   * Sets what an action counts as; `null` takes the choice back. `changed`: the digest is not the one of the definition
   * as it is now, so nothing was set.
   */
  choose(
    userId: string,
    toolkit: string,
    action: string,
    chosen: { readonly effect: ActionEffect | null; readonly digest: string },
  ): Promise<ChoiceReceipt>
}

export function createAppActions({
  connectors,
  store,
  directory,
}: {
  readonly connectors: Pick<ConnectorSet, 'get'>
  readonly store: ConnectionStore
  readonly directory: Directory
}): AppActions {
  async function find(userId: string, toolkit: string): Promise<ConnectionRow | undefined> {
    const { toolkits } = await directory.read(userId)
    return toolkits.find(({ slug }) => slug === toolkit)?.connections[0]
  }

  async function read(connection: ConnectionRow): Promise<readonly Action[] | undefined> {
    try {
      return await connectors.get(connection.connector)?.actions(connection)
    } catch {
      return undefined
    }
  }

  return {
    async list(userId, toolkit) {
      const connection = await find(userId, toolkit)
      if (!connection) return { type: 'not-connected' }
      const actions = await read(connection)
      if (!actions) return { type: 'unavailable' }
      const chosen = await store.actionEffects(userId, toolkit)
      const known = await store.knownActions(connection.id)
      return {
        type: 'listed',
        actions: actions.map((action) =>
          toActionRow(action, chosen.get(action.name), known.get(action.name)),
        ),
      }
    },
    async choose(userId, toolkit, action, { effect, digest }) {
      const connection = await find(userId, toolkit)
      if (!connection) return 'not-connected'
      const actions = await read(connection)
      if (!actions) return 'unavailable'
      const found = actions.find(({ name }) => name === action)
      if (!found) return 'unknown'
      if (found.digest !== digest) return 'changed'
      await store.setActionEffect(userId, toolkit, action, effect === null ? undefined : { effect, digest })
      return 'set'
    },
  }
}
