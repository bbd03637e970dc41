import type { Connector } from '@capstan/harness/connectors'

type Listener = Parameters<Connector['onChange']>[0]

/** Listeners for changes of toolkits. A listener that throws does not stop the others. */
export interface ChangeListeners {
  readonly add: Connector['onChange']
  readonly notify: (toolkit: string) => void
  readonly clear: () => void
}

export function createChangeListeners(): ChangeListeners {
  // Wrapped, so that a listener that was added twice can be removed once.
  const entries = new Set<{ readonly listener: Listener }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    notify(toolkit) {
      const present = [...entries]
      for (const entry of present) {
        if (!entries.has(entry)) continue
        try {
          entry.listener({ toolkit })
        } catch {
          // A failing listener is not the concern of the connector.
        }
      }
    },
    clear: () => entries.clear(),
  }
}
