import type { Connector } from '../ports/connector.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { CanUse } from './guard-connector.ts'
import { guardConnector } from './guard-connector.ts'
import type { TimedOptions } from './timed-connector.ts'
import { timeConnector } from './timed-connector.ts'

/** The connectors that are set up now. They may change at run time. */
export interface ConnectorSet {
  list(): readonly Connector[]
  get(id: string): Connector | undefined
  /** How often the connector reported a change of this toolkit or its actions. */
  changesOf(id: string, toolkit: string): number
  /** Throws a `ConfigurationError` for an id that is taken. */
  add(connector: Connector): void
  /** Unsubscribes from it and closes it. False when there is none. */
  remove(id: string): Promise<boolean>
  close(): Promise<void>
}

/** `onChange` is called when the toolkits or actions of a connector changed. */
export function createConnectorSet(
  initial: readonly Connector[],
  onChange: () => void,
  { canUse, ...times }: TimedOptions & { readonly canUse?: CanUse | undefined },
): ConnectorSet {
  const present = new Map<string, { readonly connector: Connector; readonly stop: () => void }>()

  const changes = new Map<string, number>()

  function add(connector: Connector): void {
    const { id } = connector
    if (present.has(id)) throw new ConfigurationError('connectors', `there is a connector "${id}" already`)
    const timed = timeConnector(connector, times)
    const guarded = canUse ? guardConnector(timed, canUse) : timed
    const stop = connector.onChange(({ toolkit }) => {
      const key = JSON.stringify([id, toolkit])
      changes.set(key, (changes.get(key) ?? 0) + 1)
      onChange()
    })
    present.set(id, { connector: guarded, stop })
  }

  async function remove(id: string): Promise<boolean> {
    const found = present.get(id)
    if (!found) return false
    present.delete(id)
    found.stop()
    await found.connector.close()
    return true
  }

  for (const connector of initial) add(connector)
  return {
    list: () => [...present.values()].map(({ connector }) => connector),
    get: (id) => present.get(id)?.connector,
    changesOf: (id, toolkit) => changes.get(JSON.stringify([id, toolkit])) ?? 0,
    add,
    remove,
    async close() {
      await Promise.all([...present.keys()].map(remove))
    },
  }
}
