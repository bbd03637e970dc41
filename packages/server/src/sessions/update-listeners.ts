import type { Update } from './assistant.ts'

/** The subscribers to the updates of an assistant. */
export interface UpdateListeners {
  /** A listener that throws does not keep the others from the update. */
  publish(update: Update): void
  /** The result unsubscribes. */
  subscribe(listener: (update: Update) => void): () => void
}

export function createUpdateListeners(onProblem: (problem: unknown) => void): UpdateListeners {
  const listeners = new Set<(update: Update) => void>()
  return {
    publish(update) {
      for (const listener of listeners) {
        try {
          listener(update)
        } catch (error) {
          onProblem(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
