/**
 * Works on things as they come, so many at once at most, and gives the results in the order the things came. Takes no
 * more once `work` returned `stop`, and then leaves nothing running. Rejects with the first thing that was thrown, after
 * everything that was begun has ended.
 */
export async function inOrder<Thing, Result>(
  things: AsyncIterable<Thing>,
  most: number,
  work: (thing: Thing, n: number) => Promise<{ readonly result: Result; readonly stop?: boolean }>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const running = new Set<Promise<void>>()
  const thrown: unknown[] = []
  let hasStopped = false
  let count = 0

  async function begin(thing: Thing, n: number): Promise<void> {
    try {
      const { result, stop = false } = await work(thing, n)
      results[n] = result
      hasStopped ||= stop
    } catch (error) {
      thrown.push(error)
    }
  }

  try {
    for await (const thing of things) {
      if (hasStopped || thrown.length > 0) break
      const doing = begin(thing, count++)
      running.add(doing)
      void doing.then(() => running.delete(doing))
      if (running.size >= most) await Promise.race(running)
      if (hasStopped || thrown.length > 0) break
    }
  } catch (error) {
    thrown.push(error)
  }
  await Promise.all(running)
  if (thrown.length > 0) throw thrown[0]
  return results
}
