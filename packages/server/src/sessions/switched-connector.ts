import type { Connector } from '@capstan/harness'
import { fail } from '@capstan/harness'

/** A place for a connector that may be set up, changed and taken away while turns run. */
export interface ConnectorSwitch {
  readonly connector: Connector
  /** From the next call on it is this one, or none. The one before is closed. */
  use(connector: Connector | undefined): Promise<void>
}

const NOT_SET_UP = { status: 'failed', reason: 'It is not set up any more: its key was removed.' } as const

export function createSwitch(id: string): ConnectorSwitch {
  let current: Connector | undefined
  const listeners = new Set<Parameters<Connector['onChange']>[0]>()
  let stopHearing = (): void => {}

  return {
    connector: {
      id,
      toolkits: async () => current?.toolkits() ?? [],
      beginSignIn: async (connection, signIn) =>
        current?.beginSignIn(connection, signIn) ?? { type: 'settled', ...NOT_SET_UP },
      finishSignIn: async (connection, callback) => current?.finishSignIn(connection, callback) ?? NOT_SET_UP,
      check: async (connection, signal) => current?.check(connection, signal) ?? NOT_SET_UP,
      actions: async (connection, signal) => current?.actions(connection, signal) ?? [],
      execute: async (connection, action, args, call) =>
        current?.execute(connection, action, args, call) ??
        fail(NOT_SET_UP.reason, { errorCode: 'not_connected' }),
      disconnect: async (connection) => current?.disconnect(connection),
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      async close() {
        stopHearing()
        listeners.clear()
        await current?.close()
      },
    },
    async use(connector) {
      const before = current
      stopHearing()
      current = connector
      const stop = connector?.onChange((change) => {
        for (const listener of listeners) listener(change)
      })
      stopHearing = stop ?? (() => {})
      await before?.close()
    },
  }
}
