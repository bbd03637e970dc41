import type { Connector } from '@capstan/harness'

type Listener = Parameters<Connector['onChange']>[0]

/** Those who want to hear of changes. One that throws does not keep it from the others. */
export interface ChangeListeners {
  readonly add: Connector['onChange']
  tell(toolkit: string): void
  clear(): void
}

export function createChangeListeners(): ChangeListeners {
  // Wrapped, so that a listener that was added twice can be taken away once.
  const entries = new Set<{ readonly listener: Listener }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    tell(toolkit) {
      const present = [...entries]
      for (const entry of present) {
        if (!entries.has(entry)) continue
        try {
          entry.listener({ toolkit })
        } catch {
          // Its own business.
        }
      }
    },
    clear: () => entries.clear(),
  }
}
