import { setImmediate } from 'node:timers/promises'
import type { Conversation, Subject } from '../subject.ts'
import { WORKLOADS } from '../workloads.ts'
import type { BegunTurn } from './plan-turn.ts'
import { planTurn } from './plan-turn.ts'

export interface MeasuredSessions {
  /** Until all have answered, opening included. */
  readonly ms: number
  /** What a conversation holds after its turn. */
  readonly kbPerSession: number
  readonly problems: readonly string[]
}

export const SESSIONS = 1_000
const WARM_UP_SESSIONS = 300
const REPEATS = 3

/** Many conversations at once, three iterations each. The model yields once per call, so that all of them take turns. */
export async function measureSessions(subject: Subject): Promise<MeasuredSessions> {
  await runAll(subject, WARM_UP_SESSIONS)
  const runs: MeasuredSessions[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) runs.push(await runAll(subject, SESSIONS))
  return runs.toSorted((a, b) => a.ms - b.ms)[REPEATS >> 1]!
}

async function runAll(subject: Subject, count: number): Promise<MeasuredSessions> {
  const planned = planTurn(subject, { ...WORKLOADS.loop10, iterations: 3 }, () => setImmediate())
  const turns = Array.from({ length: count }, () => planned.begin())
  const heapBefore = heapUsed()
  const startedMs = performance.now()
  const ended = await Promise.all(turns.map(runTurn))
  const ms = performance.now() - startedMs
  const kbPerSession = (heapUsed() - heapBefore) / count / 1024
  for (const { conversation } of ended) await conversation.close?.()
  return {
    ms: Math.round(ms),
    kbPerSession: Number(kbPerSession.toFixed(1)),
    problems: ended.flatMap(({ problems }) => problems).slice(0, 1),
  }
}

async function runTurn(
  turn: BegunTurn,
): Promise<{ readonly conversation: Conversation; readonly problems: readonly string[] }> {
  const conversation = await turn.open()
  return { conversation, problems: turn.check(await conversation.send('Read them all.')) }
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
