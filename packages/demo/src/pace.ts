import { setTimeout as wait } from 'node:timers/promises'

/** How long the demo takes over things that would otherwise be over before anybody saw them. */
export interface Pace {
  readonly thinkMs: number
  readonly wordMs: number
  readonly toolMs: number
}

export const CALM: Pace = { thinkMs: 700, wordMs: 35, toolMs: 900 }
export const FAST: Pace = { thinkMs: 0, wordMs: 0, toolMs: 0 }

/** Rejects when the signal says so. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms > 0) await wait(ms, undefined, { signal })
}
