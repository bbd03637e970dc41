import { readFileSync } from 'node:fs'
import type { SandboxLimits } from '@capstan/harness/sandbox'

const EVERY_MS = 250
const KB_PER_MB = 1024

/** Which limit a program has passed. */
export type PassedLimit = 'processes' | 'memory'

/**
 * Looks at the processes below `pid` a few times each second, and ends all of them when they are too many or hold too
 * much memory together. Limits of the kernel count per process, and not at all for the root user. The result ends it.
 */
export function watchLimits(
  pid: number,
  { processes, memoryMb }: Pick<SandboxLimits, 'processes' | 'memoryMb'>,
  onPassed: (limit: PassedLimit) => void,
): () => void {
  const timer = setInterval(() => {
    const below = descendants(pid, processes)
    const passed = below.length > processes ? 'processes' : isTooLarge(below, memoryMb) ? 'memory' : undefined
    if (passed === undefined) return
    clearInterval(timer)
    onPassed(passed)
    // The first one below is the first of its process namespace: with it, the kernel ends all others.
    for (const id of [...below.slice(0, 1), pid, ...below]) kill(id)
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function isTooLarge(pids: readonly number[], memoryMb: number): boolean {
  let usedKb = 0
  for (const pid of pids) {
    const status = read(`/proc/${pid}/status`)
    for (const [, kb] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) usedKb += Number(kb)
  }
  return usedKb > memoryMb * KB_PER_MB
}

/** The processes below this one, the nearest first. Stops as soon as there are more than `most`. */
function descendants(pid: number, most: number): readonly number[] {
  const found: number[] = []
  for (let next: number | undefined = pid, at = 0; next !== undefined; next = found[at++]) {
    const children = read(`/proc/${next}/task/${next}/children`).split(' ').filter(Boolean)
    found.push(...children.map(Number))
    if (found.length > most) return found
  }
  return found
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
