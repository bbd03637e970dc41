/** The calls of the model on another node. */
export interface ModelCalls {
  readonly note: (at: number, isKnown: boolean) => void
  /** The time of the next call after `from` that knows of the app, or does not. */
  next(isKnown: boolean, from: number): Promise<number>
  /** Settles when no turn calls the model any more. */
  silence(): Promise<void>
}

const GIVES_UP_MS = 20_000
const SILENT_MS = 300

export function createModelCalls(): ModelCalls {
  const waiting = new Set<(at: number, isKnown: boolean) => void>()
  let lastAt = 0
  return {
    note(at, isKnown) {
      lastAt = at
      for (const look of waiting) look(at, isKnown)
    },
    next: (wanted, from) =>
      new Promise((resolve, reject) => {
        let seen = 0
        const timer = setTimeout(() => {
          waiting.delete(look)
          const what = wanted ? 'knew' : 'had forgotten'
          reject(new Error(`none of ${seen} model calls in 20 seconds ${what} the app`))
        }, GIVES_UP_MS)
        const look = (at: number, isKnown: boolean): void => {
          seen++
          if (at < from || isKnown !== wanted) return
          waiting.delete(look)
          clearTimeout(timer)
          resolve(at)
        }
        waiting.add(look)
      }),
    async silence() {
      while (Date.now() - lastAt < SILENT_MS) await new Promise((resolve) => void setTimeout(resolve, 50))
    },
  }
}
