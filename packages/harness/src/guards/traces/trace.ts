import type { FailureClass } from '@capstan/protocol'
import type { JsonObject } from '../../turn/json.ts'
import type { Trace, TraceStep } from '../replay-trace.ts'

/** A made-up run whose right verdict is known. */
export interface LabelledTrace extends Trace {
  readonly kind: 'looping' | 'honest'
  /** Where the unproductive repetition begins. Looping traces only. */
  readonly starts: number
  /** How many steps after `starts` it must have been stopped. */
  readonly grace: number
}

const GRACE = { lasting: 6, transient: 12 }

interface Move {
  readonly call: TraceStep['calls'][number]
  readonly result: TraceStep['results'][number]
}

/** A call that succeeded. */
export const did = (tool: string, args: JsonObject, text: string): Move => ({
  call: { tool, args },
  result: { ok: true, text, class: null },
})

/** A call that succeeded and is known to change nothing. */
export const looked = (tool: string, args: JsonObject, text: string): Move => ({
  call: { tool, args, effect: 'read' },
  result: { ok: true, text, class: null },
})

/** A call that failed. */
export const failed = (
  tool: string,
  args: JsonObject,
  failureClass: FailureClass | null,
  text: string,
): Move => ({
  call: { tool, args },
  result: { ok: false, text, class: failureClass },
})

/** A call of a tool that declares `polls`. */
export const waited = (tool: string, args: JsonObject, text: string): Move => ({
  call: { tool, args, polls: true },
  result: { ok: true, text, class: null },
})

export const says = (text: string, ...moves: readonly Move[]): TraceStep => ({
  text,
  calls: moves.map(({ call }) => call),
  results: moves.map(({ result }) => result),
})

export const silent = (...moves: readonly Move[]): TraceStep => says('', ...moves)

const CHATTER = ['One more time.', '', 'Perhaps now.', 'Trying that again.', '', 'Let me see.']

/** Words that change from step to step, as models do. */
export const chatter = (n: number): string => CHATTER[(n * 5) % CHATTER.length]!

const LOOP_STEPS = 20

/**
 * A run that ends in a loop: `before`, then `round(0)`, `round(1)` and so on. `from` is the first step of the
 * loop that brings nothing: 0 for what never works, 1 for what was worth doing once, the length of a cycle.
 */
export function looping(
  id: string,
  round: (n: number) => TraceStep,
  { from = 0, before = [], transient = false }: Partial<LoopShape> = {},
): LabelledTrace {
  const steps = [...before, ...Array.from({ length: LOOP_STEPS }, (_, n) => round(n))]
  const grace = transient ? GRACE.transient : GRACE.lasting
  return { id, kind: 'looping', steps, starts: before.length + from, grace }
}

interface LoopShape {
  readonly from: number
  readonly before: readonly TraceStep[]
  readonly transient: boolean
}

export const honest = (id: string, steps: readonly TraceStep[]): LabelledTrace => ({
  id,
  kind: 'honest',
  steps,
  starts: 0,
  grace: 0,
})

/** `count` steps, each made from its number. */
export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

/** The n-th of a list that starts over at its end. */
export const turnsOf = <T>(list: readonly T[], n: number): T => list[n % list.length]!

/** Hexadecimal digits that look random and are the same every time. */
export const hex = (n: number, digits = 8): string =>
  (((n + 3) * 2_654_435_761) % 4_294_967_296).toString(16).padStart(digits, 'b').slice(0, digits)
