import {
  ConfigurationError,
  checkArguments,
  fail,
  toJsonSchema,
  sanitizeLine,
  toOutcome,
  toThrownOutcome,
} from '@capstan/harness'
import type {
  ActionCall,
  ConnectionState,
  Connector,
  JsonObject,
  SecretVault,
  ToolOutcome,
} from '@capstan/harness'
import type { ConnectionRow } from '@capstan/protocol'
import { createChangeListeners } from '../change-listeners.ts'
import { hideSecrets } from '../hide-secrets.ts'
import { toAction } from '../to-action.ts'
import { untilAborted } from '../until-aborted.ts'
import type { LocalAction, LocalToolkit } from './local-toolkit.ts'
import { checkToolkit } from './local-toolkit.ts'

export interface LocalConnectorOptions {
  readonly toolkits: readonly LocalToolkit[]
  /** Where keys lie. Needed for toolkits that want one. */
  readonly vault?: SecretVault
  readonly id?: string
}

export interface LocalConnector extends Connector {
  /** Adds a toolkit, or replaces the one with its slug. Listeners hear of it. */
  put(toolkit: LocalToolkit): void
  remove(slug: string): void
}

/** Toolkits of this process. Nobody has to go anywhere: a connection settles as soon as it is asked for. */
export function createLocalConnector(options: LocalConnectorOptions): LocalConnector {
  const { vault, id = 'local' } = options
  const toolkits = new Map<string, LocalToolkit>()
  const listeners = createChangeListeners()
  const closing = new AbortController()

  const admit = (toolkit: LocalToolkit): void => {
    checkToolkit(toolkit)
    if (toolkit.auth === 'key' && !vault) {
      throw new ConfigurationError('vault', `"${toolkit.slug}" wants a key, and there is nowhere to keep it`)
    }
    toolkits.set(toolkit.slug, toolkit)
  }
  for (const toolkit of options.toolkits) {
    if (toolkits.has(toolkit.slug))
      throw new ConfigurationError('toolkits', `two are called "${toolkit.slug}"`)
    admit(toolkit)
  }

  const keyOf = async ({ id: connectionId }: ConnectionRow): Promise<string | undefined> => {
    const key = (await vault?.read(connectionId))?.['key']
    return typeof key === 'string' && key !== '' ? key : undefined
  }

  const check = async (connection: ConnectionRow, signal?: AbortSignal): Promise<ConnectionState> => {
    signal?.throwIfAborted()
    const toolkit = toolkits.get(connection.toolkit)
    if (!toolkit) return { status: 'failed', reason: 'This app is no longer offered.' }
    if (toolkit.auth !== 'key') return { status: 'active' }
    const key = await keyOf(connection)
    if (key === undefined) return { status: 'failed', reason: 'No key was given for it.' }
    const verdict = await askForVerdict(toolkit, key, signal)
    if (!verdict.ok) return { status: 'revoked', reason: 'Its key is not accepted.', reasonCode: 'rejected' }
    const label = sanitizeLine(hideSecrets(verdict.label ?? '', [key]), MAX_LABEL_CHARS)
    return { status: 'active', ...(label && { label }) }
  }

  /** What has to be there before anything runs, or why it is not. */
  const prepare = async (connection: ConnectionRow, name: string): Promise<Prepared> => {
    const toolkit = toolkits.get(connection.toolkit)
    if (!toolkit) return { refusal: fail('This app is no longer offered.', { errorCode: 'not_connected' }) }
    const key = toolkit.auth === 'key' ? await keyOf(connection) : undefined
    if (toolkit.auth === 'key' && key === undefined) {
      return { refusal: fail(`No key is kept for ${toolkit.slug}: connect it again.`, { httpStatus: 401 }) }
    }
    const action = toolkit.actions.find((other) => other.name === name)
    if (action) return { action, key }
    return { refusal: fail(`${toolkit.slug} has no action of this name.`, { errorCode: 'unknown_tool' }) }
  }

  return {
    id,
    toolkits: async () =>
      [...toolkits.values()].map(({ slug, name, description, auth = 'none' }) => ({
        slug,
        name: sanitizeLine(name, MAX_NAME_CHARS) || slug,
        description: sanitizeLine(description, MAX_DESCRIPTION_CHARS),
        connector: id,
        auth,
      })),
    async beginSignIn(connection) {
      const state = await check(connection)
      // A key that was never good is not one that was taken back.
      const status = state.status === 'revoked' ? 'failed' : state.status
      return { type: 'settled', ...state, status }
    },
    finishSignIn: (connection) => check(connection),
    check,
    async actions(connection, signal) {
      signal?.throwIfAborted()
      const toolkit = toolkits.get(connection.toolkit)
      if (!toolkit) throw new Error('this app is no longer offered')
      return toolkit.actions.map((action) => toAction({ ...action, input: toJsonSchema(action.input) }))
    },
    async execute(connection, name, args, call) {
      const signal = AbortSignal.any([call.signal, closing.signal])
      let key: string | undefined
      try {
        signal.throwIfAborted()
        const prepared = await prepare(connection, name)
        if ('refusal' in prepared) return prepared.refusal
        key = prepared.key
        const work = run(prepared.action, args, { ...call, signal }, connection, key)
        return withoutKey(await untilAborted(work, signal), key)
      } catch (error) {
        if (call.signal.aborted) return fail('It was stopped before it finished.', { cancelled: true })
        if (closing.signal.aborted) return fail('The app was closed.', { errorCode: 'service_unavailable' })
        return withoutKey(toThrownOutcome(error), key)
      }
    },
    async disconnect({ id: connectionId }) {
      try {
        await vault?.delete(connectionId)
      } catch {
        // The store says so itself to whoever asks it next.
      }
    },
    onChange: listeners.add,
    put(toolkit) {
      admit(toolkit)
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

const MAX_NAME_CHARS = 80
const MAX_DESCRIPTION_CHARS = 500
const MAX_LABEL_CHARS = 120

type Prepared =
  | { readonly action: LocalAction; readonly key: string | undefined }
  | { readonly refusal: ToolOutcome }

async function run(
  action: LocalAction,
  args: JsonObject,
  call: ActionCall,
  connection: ConnectionRow,
  key: string | undefined,
): Promise<ToolOutcome> {
  const checked = await checkArguments({ ...action, run: () => undefined }, args)
  if ('refusal' in checked) return checked.refusal
  const context = { ...call, connection, ...(key !== undefined && { key }) }
  return toOutcome(await action.run(checked.value as never, context))
}

// What it throws may have the key in it, and is not ours to show.
async function askForVerdict({ slug, checkKey }: LocalToolkit, key: string, signal?: AbortSignal) {
  try {
    return (await checkKey?.(key, signal)) ?? { ok: true as const, label: undefined }
  } catch (error) {
    signal?.throwIfAborted()
    const { httpStatus, errorCode } = toThrownOutcome(error)
    const why = [httpStatus, errorCode].filter((fact) => fact !== undefined).join(', ')
    // oxlint-disable-next-line preserve-caught-error -- a cause would carry the key along
    throw new Error(hideSecrets(`the key for ${slug} could not be checked${why && ` (${why})`}`, [key]))
  }
}

const withoutKey = (outcome: ToolOutcome, key: string | undefined): ToolOutcome =>
  key === undefined ? outcome : { ...outcome, text: hideSecrets(outcome.text, [key]) }
