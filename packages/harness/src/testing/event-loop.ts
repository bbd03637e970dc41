import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees what nothing refers to any more, so that memory can be measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

/** The longest time for which the work held the event loop, as processor time of this thread. */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = process.threadCpuUsage()
  const look = () => {
    const used = process.threadCpuUsage(last)
    longest = Math.max(longest, (used.user + used.system) / 1_000)
    last = process.threadCpuUsage()
  }
  const watch = () => {
    look()
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  await work()
  look()
  isOver = true
  return longest
}
