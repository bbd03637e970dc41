import type { PumpString } from './pump-strings.ts'

/** Small texts first: a pattern with exponentially many ways would not come back from a large one. */
const SIZES = [24, 400, 4_000, 16_000]
/** A linear pattern needs well under a millisecond for the largest. */
export const MAX_MS = 25
const ATTEMPTS = 3

/** The processor time of the slowest text up to `maxChars`, at most what first exceeded the limit. */
export function timePattern(
  pattern: RegExp,
  strings: readonly PumpString[],
  maxChars = Infinity,
): { readonly ms: number; readonly text?: PumpString } {
  let slowest: { ms: number; text?: PumpString } = { ms: 0 }
  for (const text of strings) {
    for (const size of SIZES) {
      const { ms, wallMs } = timeText(pattern, toText(text, Math.min(size, maxChars)), text.start.length)
      if (ms > slowest.ms) slowest = { ms, text }
      if (ms > MAX_MS) return slowest
      // What is quick at a quarter of the size is not slow by its square. The clock on the wall decides: that of the
      // processor ticks too rarely for so short a time.
      if (size === 4_000 && wallMs < MAX_MS / 100) break
    }
  }
  return slowest
}

/** A busy machine is slow for a while: what is slow by itself is slow every time. */
function timeText(
  pattern: RegExp,
  text: string,
  start: number,
): { readonly ms: number; readonly wallMs: number } {
  let ms = Infinity
  let wallMs = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && wallMs > MAX_MS / 200; attempt++) {
    const began = performance.now()
    const before = process.threadCpuUsage()
    if (pattern.sticky) for (const at of [0, start]) testAt(pattern, text, at)
    else if (pattern.global) text.replaceAll(pattern, '')
    else pattern.test(text)
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000)
    wallMs = Math.min(wallMs, performance.now() - began)
  }
  return { ms, wallMs }
}

function testAt(pattern: RegExp, text: string, at: number): void {
  pattern.lastIndex = at
  pattern.test(text)
}

function toText({ start, pump, end }: PumpString, chars: number): string {
  const space = Math.max(0, chars - start.length - end.length)
  return start + pump.repeat(Math.floor(space / pump.length)) + end
}
