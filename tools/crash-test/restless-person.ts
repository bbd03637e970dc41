import { setTimeout as sleep } from 'node:timers/promises'
import type { TurnEvent } from '@capstan/protocol'
import type { SafetyMode, Threads, ToolRule } from '@capstan/harness'
import type { Apps } from './apps.ts'
import { createRandom } from './random.ts'
import { EFFECT_TOOLS, TOOLS } from './scenario.ts'
import type { Start } from './starts.ts'

interface PersonOptions {
  readonly start: Start
  readonly threads: () => Threads
  readonly apps: Apps
  readonly onError: (error: unknown) => void
}

/** A person who changes their mind at random moments. The moments depend on the event only. */
export interface RestlessPerson {
  see(event: TurnEvent): void
  /** The safety mode of now. */
  readonly mode: () => SafetyMode
  readonly rules: readonly ToolRule[]
}

export function createRestlessPerson({ start, threads, apps, onError }: PersonOptions): RestlessPerson {
  let mode: SafetyMode = start.mode ?? 'full'
  const stop = async ({ threadId, runId }: TurnEvent): Promise<void> =>
    (await threads().open(threadId)).stop(runId)

  async function overCard(event: TurnEvent): Promise<void> {
    const random = createRandom(event.threadId, event.seq, 'card')
    if (random.chance(0.1)) await stop(event)
    if (random.chance(0.25)) mode = mode === 'full' ? 'supervised' : 'full'
    if (random.chance(0.12)) await apps.disconnect()
  }

  async function duringWrite(event: TurnEvent): Promise<void> {
    const random = createRandom(event.threadId, event.seq, 'write')
    if (!random.chance(0.06)) return
    await sleep(random.int(0, 5))
    // Only the turn itself has an address.
    ;(await threads().open(event.threadId)).stop()
  }

  return {
    see(event) {
      if (!start.isRestless) return
      if (event.type === 'turn-park') overCard(event).catch(onError)
      if (event.type === 'tool-start' && EFFECT_TOOLS.has(event.tool)) duringWrite(event).catch(onError)
    },
    mode: () => mode,
    // Where it does not ask, questions of earlier starts stay open all the same.
    rules: start.isFree ? [] : [{ tool: TOOLS.asked, decision: 'ask' }],
  }
}
