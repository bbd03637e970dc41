import { TRIGGER_ACTIONS, TRIGGER_SOURCE_KINDS } from '@capstan/protocol'
import type { ThreadId, TriggerBudget, TriggerSource } from '@capstan/protocol'
import { z } from 'zod'

const Amounts = z.object({ usd: z.number(), runs: z.number() })

/** A source as it is stored, encrypted. Examples: newest last. */
export const StoredSource = z.object({
  id: z.string(),
  kind: z.enum(TRIGGER_SOURCE_KINDS),
  name: z.string(),
  hookId: z.string().optional(),
  secret: z.string().optional(),
  connectionId: z.string().optional(),
  rule: z.string(),
  isOff: z.boolean(),
  quietHours: z.object({ from: z.string(), to: z.string(), timeZone: z.string() }).nullable(),
  budget: Amounts,
  threadId: z.string().nullable(),
  createdAt: z.number(),
  examples: z.array(
    z.object({
      triggerId: z.string(),
      label: z.string(),
      payload: z.string(),
      right: z.enum(TRIGGER_ACTIONS),
      note: z.string().optional(),
    }),
  ),
  /** What was used on a day, as `2026-01-05`. */
  used: Amounts.extend({ day: z.string() }),
})
export type StoredSource = z.infer<typeof StoredSource>

/** All sources of a user. */
export const StoredSources = z.object({
  isOff: z.boolean(),
  model: z.string(),
  sources: z.array(StoredSource),
})
export type StoredSources = z.infer<typeof StoredSources>

/** Days are those of UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const DAY_MS = 86_400_000
export const nextDayAfter = (at: number): number => Math.floor(at / DAY_MS + 1) * DAY_MS

export const usedToday = ({ used }: StoredSource, now: number): TriggerBudget =>
  used.day === dayOf(now) ? { usd: used.usd, runs: used.runs } : { usd: 0, runs: 0 }

export const HOOKS_PATH = '/hooks'

/** What screens show: never the secret. */
export function toSource(stored: StoredSource, now: number): TriggerSource {
  const { hookId, secret: _, examples, threadId, connectionId, ...rest } = stored
  return {
    ...rest,
    threadId: threadId as ThreadId | null,
    examples: examples.length,
    used: usedToday(stored, now),
    ...(hookId !== undefined && { path: `${HOOKS_PATH}/${hookId}` }),
    ...(connectionId !== undefined && { connectionId }),
  }
}
