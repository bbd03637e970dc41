import { readdirSync, readFileSync } from 'node:fs'

// `sysconf(_SC_CLK_TCK)` is 100 on every Linux.
const TICK_MS = 10

/** Milliseconds of processor time of a PostgreSQL server on this machine, with those of its processes that have ended. */
export function serverTimeMs(backendPid: number): number {
  const server = readStat(backendPid)?.parent
  if (server === undefined) return Number.NaN
  let ms = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    if (stat?.parent === server) ms += stat.ownMs
    if (Number(name) === server) ms += stat!.ownMs + stat!.endedMs
  }
  return ms
}

function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ms = (index: number): number => Number(fields[index]) * TICK_MS
    return { parent: Number(fields[1]), ownMs: ms(11) + ms(12), endedMs: ms(13) + ms(14) }
  } catch {
    return undefined
  }
}
