import { setTimeout as wait } from 'node:timers/promises'

/** The pauses of the demo, so that a person can follow it. */
export interface Pace {
  readonly thinkMs: number
  readonly wordMs: number
  readonly toolMs: number
}

/** Slow enough to follow. */
export const CALM: Pace = { thinkMs: 700, wordMs: 35, toolMs: 900 }
/** Without pauses. */
export const FAST: Pace = { thinkMs: 0, wordMs: 0, toolMs: 0 }

/** Rejects when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await wait(ms, undefined, { signal })
}
