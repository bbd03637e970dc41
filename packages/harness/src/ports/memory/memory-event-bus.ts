import type { BusEvent, EventBus } from '../event-bus.ts'

/** Calls all listeners at once, in the order they subscribed. */
export function createMemoryEventBus(): EventBus {
  // Wrapped, so that a listener that subscribed twice can unsubscribe once.
  const entries = new Set<{ readonly listener: (event: BusEvent) => void }>()
  return {
    publish(event) {
      // A copy: a listener that subscribes meanwhile gets the next event, and one that unsubscribes gets no more.
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
