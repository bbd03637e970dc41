/** Lets timers and requests run before long work goes on. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
