/** A question to the owner: log in again, so that a request that reaches the machine can go on. */
export interface LoginAgain {
  /** Resolves with true when the owner has logged in again. Requests at the same time share one question. */
  ask(): Promise<boolean>
  isAsking(): boolean
  /** Answers the question. */
  answer(hasLoggedIn: boolean): void
  /** The result unsubscribes. */
  onChange(listener: () => void): () => void
}

export function createLoginAgain(): LoginAgain {
  const listeners = new Set<() => void>()
  let question: { readonly answered: Promise<boolean>; readonly answer: (value: boolean) => void } | undefined
  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    ask() {
      if (!question) {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        question = { answered: promise, answer: resolve }
        notify()
      }
      return question.answered
    },
    isAsking: () => question !== undefined,
    answer(hasLoggedIn) {
      question?.answer(hasLoggedIn)
      question = undefined
      notify()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
