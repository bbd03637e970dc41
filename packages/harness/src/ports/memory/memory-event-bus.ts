import type { BusEvent, EventBus } from '../event-bus.ts'

/** Tells everybody in this process, at once and in the order they came. */
export function createMemoryEventBus(): EventBus {
  // Wrapped, so that a listener that came twice can go once.
  const entries = new Set<{ readonly listener: (event: BusEvent) => void }>()
  return {
    publish(event) {
      // A copy: who comes while it is told hears only of the next, and who goes hears no more.
      const present = [...entries]
      for (const entry of present) {
        if (!entries.has(entry)) continue
        try {
          entry.listener(event)
        } catch (error) {
          const reason = error instanceof Error ? error.name : typeof error
          process.emitWarning(`a listener failed at ${event.type}: ${reason}`, 'CapstanEventBus')
        }
      }
    },
    subscribe(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
  }
}
