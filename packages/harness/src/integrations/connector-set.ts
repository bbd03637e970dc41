import type { Connector } from '../ports/connector.ts'
import { ConfigurationError } from '../turn/errors.ts'
import type { CanUse } from './guard-connector.ts'
import { guardConnector } from './guard-connector.ts'

/** The connectors that are set up now. They may change at run time. */
export interface ConnectorSet {
  list(): readonly Connector[]
  get(id: string): Connector | undefined
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
  canUse?: CanUse,
): ConnectorSet {
  const present = new Map<string, { readonly connector: Connector; readonly stop: () => void }>()

  function add(connector: Connector): void {
    const { id } = connector
    if (present.has(id)) throw new ConfigurationError('connectors', `there is a connector "${id}" already`)
    const guarded = canUse ? guardConnector(connector, canUse) : connector
    present.set(id, { connector: guarded, stop: connector.onChange(onChange) })
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
    add,
    remove,
    async close() {
      await Promise.all([...present.keys()].map(remove))
    },
  }
}
