/**
 * Does the work of each key one at a time. Asked for again meanwhile, it is done once more afterwards, because it may have
 * read what is out of date by now.
 */
export function createMergedWork(
  onProblem: (problem: unknown) => void,
): (key: string, work: () => Promise<void>) => void {
  /** By key: whether it was asked for again. */
  const running = new Map<string, boolean>()

  async function run(key: string, work: () => Promise<void>): Promise<void> {
    do {
      running.set(key, false)
      await work().catch(onProblem)
    } while (running.get(key))
    running.delete(key)
  }

  return (key, work) => {
    if (running.has(key)) running.set(key, true)
    else void run(key, work)
  }
}
