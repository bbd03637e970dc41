import { ConfigurationError, fail } from '@capstan/harness'
import { sanitizeLine, toJsonSchema } from '@capstan/harness/connectors'
import type { ConnectionState, Connector } from '@capstan/harness/connectors'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow, ToolkitRow } from '@capstan/protocol'
import { createChangeListeners } from '../change-listeners.ts'
import { hideSecrets } from '../hide-secrets.ts'
import { boundSource } from '../sync/bound-source.ts'
import { toAction } from '../to-action.ts'
import { checkKey } from './check-key.ts'
import type { LocalToolkit } from './local-toolkit.ts'
import { checkToolkit } from './local-toolkit.ts'
import type { PreparedCall } from './run-action.ts'
import { runAction } from './run-action.ts'

/** Options of `createLocalConnector`. */
export interface LocalConnectorOptions {
  readonly toolkits: readonly LocalToolkit[]
  /** Where keys are kept. Needed for toolkits that want one. */
  readonly vault?: SecretVault
  /** Default `local`. */
  readonly id?: string
}

/** A connector whose toolkits are written in TypeScript and run in this process. */
export interface LocalConnector extends Connector {
  /** Adds a toolkit, or replaces the one with its slug, and notifies listeners. */
  put(toolkit: LocalToolkit): void
  remove(slug: string): void
}

const MAX_NAME_CHARS = 80
const MAX_DESCRIPTION_CHARS = 500
const MAX_LABEL_CHARS = 120

/**
 * Creates a connector for toolkits of this process. There is no page to visit: a connection settles as soon as it is asked
 * for. Throws a `ConfigurationError` for a toolkit that cannot work.
 */
export function createLocalConnector(options: LocalConnectorOptions): LocalConnector {
  const { vault, id = 'local' } = options
  const toolkits = new Map<string, LocalToolkit>()
  const listeners = createChangeListeners()
  const closing = new AbortController()

  for (const toolkit of options.toolkits) {
    if (toolkits.has(toolkit.slug))
      throw new ConfigurationError('toolkits', `two are called "${toolkit.slug}"`)
    add(toolkit)
  }

  function add(toolkit: LocalToolkit): void {
    checkToolkit(toolkit)
    if (toolkit.auth === 'key' && !vault) {
      throw new ConfigurationError('vault', `"${toolkit.slug}" wants a key, and there is nowhere to keep it`)
    }
    toolkits.set(toolkit.slug, toolkit)
  }

  const keyOf = (connection: ConnectionRow): Promise<string | undefined> => readKey(vault, connection)

  async function check(connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState> {
    signal?.throwIfAborted()
    const toolkit = toolkits.get(connection.toolkit)
    if (!toolkit) return { status: 'failed', reason: 'This app is no longer offered.' }
    if (toolkit.auth !== 'key') return { status: 'active' }
    const key = await keyOf(connection)
    if (key === undefined) return { status: 'failed', reason: 'No key was given for it.' }
    const verdict = await checkKey(toolkit, key, signal)
    if (!verdict.ok) return { status: 'revoked', reason: 'Its key is not accepted.', reasonCode: 'rejected' }
    const label = sanitizeLine(hideSecrets(verdict.label ?? '', [key]), MAX_LABEL_CHARS)
    return { status: 'active', ...(label && { label }) }
  }

  async function prepare(connection: ConnectionRow, name: string): Promise<PreparedCall> {
    const toolkit = toolkits.get(connection.toolkit)
    if (!toolkit) return { refusal: fail('This app is no longer offered.', { errorCode: 'not_connected' }) }
    const key = toolkit.auth === 'key' ? await keyOf(connection) : undefined
    if (toolkit.auth === 'key' && key === undefined) {
      return { refusal: fail(`No key is kept for ${toolkit.slug}: connect it again.`, { httpStatus: 401 }) }
    }
    const action = toolkit.actions.find((other) => other.name === name)
    if (action) return { action, connection, key }
    return { refusal: fail(`${toolkit.slug} has no action of this name.`, { errorCode: 'unknown_tool' }) }
  }

  return {
    id,
    toolkits: async () => [...toolkits.values()].map((toolkit) => toRow(toolkit, id)),
    async beginSignIn(connection) {
      const state = await check(connection)
      // A key that was never accepted was not revoked.
      const status = state.status === 'revoked' ? 'failed' : state.status
      return { type: 'settled', ...state, status }
    },
    finishSignIn: (connection) => check(connection),
    async check(connection, signal) {
      const isOpen = connection.status === 'pending' && toolkits.has(connection.toolkit)
      // Nobody has agreed to it yet.
      if (isOpen && (await keyOf(connection)) === undefined) return { status: 'pending' }
      return check(connection, signal)
    },
    async actions(connection, signal) {
      signal?.throwIfAborted()
      const toolkit = toolkits.get(connection.toolkit)
      if (!toolkit) throw new Error('this app is no longer offered')
      return toolkit.actions.map((action) => ({
        ...toAction({ ...action, input: toJsonSchema(action.input) }),
        ...(action.returns ? { returns: action.returns } : undefined),
        ...(action.destinations ? { destinations: action.destinations } : undefined),
      }))
    },
    execute: (connection, name, args, call) =>
      runAction(() => prepare(connection, name), args, call, closing.signal),
    syncSource(connection) {
      const source = toolkits.get(connection.toolkit)?.sync?.({ connection, key: () => keyOf(connection) })
      return source && boundSource(source)
    },
    async disconnect({ id: connectionId }) {
      try {
        await vault?.delete(connectionId)
      } catch {
        // The store reports its own failures.
      }
    },
    onChange: listeners.add,
    put(toolkit) {
      add(toolkit)
      listeners.notify(toolkit.slug)
    },
    remove(slug) {
      if (toolkits.delete(slug)) listeners.notify(slug)
    },
    async close() {
      listeners.clear()
      closing.abort(new Error('the connector was closed'))
    },
  }
}

async function readKey(vault: SecretVault | undefined, { id }: ConnectionRow): Promise<string | undefined> {
  const key = (await vault?.read(id))?.['key']
  return typeof key === 'string' && key !== '' ? key : undefined
}

const toRow = ({ slug, name, description, auth = 'none' }: LocalToolkit, connector: string): ToolkitRow => ({
  slug,
  name: sanitizeLine(name, MAX_NAME_CHARS) || slug,
  description: sanitizeLine(description, MAX_DESCRIPTION_CHARS),
  connector,
  auth,
})
