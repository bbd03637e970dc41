import type { ToolCall } from '../../turn/tool/tool-call.ts'
import type { ToolResult } from '../../turn/tool/tool-result.ts'
import { canonicalCall, looseCall } from './canonical-call.ts'
import type { FinishedCall } from '../../turn/tool/finished-call.ts'
import type { Guard } from '../guard.ts'
import { quoteResult } from '../quote-result.ts'
import { OutputPrint } from './output-print.ts'
import { reportsFailure } from './reports-failure.ts'

/** How many different calls are remembered, and how many different outcomes of each. */
const SEEN_CALLS = { calls: 32, outcomes: 4 }

/** One finished call, compared with the calls before it. */
export interface Sighting {
  readonly kind:
    | 'progress' // a new success: other arguments, or another output
    | 'repeat' // a success that was seen before
    | 'wait' // a declared wait
    | 'failure' // a new failure
    | 'changed-failure' // a call that fails in a new way after something else has worked
    | 'repeat-failure' // the same failure of the same call
    | 'transient' // a transient failure
  /** Equal numbers mean equal calls with equal outcomes. */
  readonly pair: number
  /** In how many replies it occurred since the last progress. */
  readonly times: number
  /** The call is identical to the previous one, not only loosely the same. */
  readonly isExact: boolean
  /** The text was the same every time, not only without its volatile parts. */
  readonly isSameText: boolean
}

/**
 * Remembers recent calls and their outcomes, so that guards can tell progress from repetition. It comes first in the list
 * and never gives a verdict.
 */
export interface SeenCalls extends Guard {
  /** The sightings of the current reply so far. */
  readonly reply: readonly Sighting[]
  readonly last: Sighting
  readonly isReplyComplete: boolean
  /** Why a call failed since the last progress. */
  readonly lastFailure: string | undefined
}

interface Pair {
  readonly number: number
  readonly print: OutputPrint
  readonly text: string
  isSameText: boolean
  times: number
  /** When it was last seen: after which progress, in which reply, with which exact call. */
  stretch: number
  inReply: number
  lastCall: number
  call: ToolCall
  exact: string | undefined
}

/** A guard that only remembers calls, for the guards after it. */
export function createSeenCalls(limits = SEEN_CALLS): SeenCalls {
  const pairs = new Map<number, Pair[]>()
  let count = 0
  let calls = 0
  let lastSuccess = 0
  let stretch = 0
  let replies = 0
  let asked = 1
  let reply: Sighting[] = []
  let lastFailure: string | undefined

  function sight({ call, result, polls }: FinishedCall): Sighting {
    if (polls && result.ok) {
      stretch++
      return { kind: 'wait', pair: 0, times: 1, isExact: false, isSameText: false }
    }
    const isFailure = !result.ok || reportsFailure(result)
    const key = isFailure ? ~looseCall(call) : successKey(call, result)
    const { pair, isNew, lastCall } = recall(key, call, result)
    if (!isNew) pair.isSameText &&= pair.text === result.text
    const isChanged = isNew && lastCall > 0 && lastCall < lastSuccess
    const kind = isFailure ? failureKind(result, isNew, isChanged) : isNew ? 'progress' : 'repeat'
    if (!isFailure) lastSuccess = calls
    if (isFailure) lastFailure = quoteResult(result)
    else if (isNew) lastFailure = undefined
    // A wait or progress: repetitions are counted from zero.
    if (kind === 'progress' || kind === 'transient' || kind === 'changed-failure') stretch++
    const isExact = !isNew && exactOf(pair) === canonicalCall(call)
    if (isNew || pair.stretch !== stretch) pair.times = 1
    else if (pair.inReply !== replies) pair.times++
    pair.stretch = stretch
    pair.inReply = replies
    pair.lastCall = calls
    if (!isExact) {
      pair.call = call
      pair.exact = undefined
    }
    return { kind, pair: pair.number, times: pair.times, isExact, isSameText: !isNew && pair.isSameText }
  }

  function recall(key: number, call: ToolCall, { text, tool }: ToolResult) {
    const print = new OutputPrint(text, tool)
    const known = pairs.get(key) ?? []
    if (known.length > 0) pairs.delete(key) // set again below, so that the map keeps the order of use
    else if (pairs.size >= limits.calls) pairs.delete(pairs.keys().next().value!)
    const before = known.find((one) => one.print.same === print.same)
    const pair: Pair = before ?? {
      number: ++count,
      print,
      text,
      isSameText: true,
      times: 0,
      stretch,
      inReply: -1,
      lastCall: 0,
      call,
      exact: undefined,
    }
    const lastCall = known.reduce((latest, one) => Math.max(latest, one.lastCall), 0)
    pairs.set(key, before ? known : [...known, pair].slice(-limits.outcomes))
    return { pair, isNew: !before, lastCall }
  }

  return {
    name: 'seen-calls',
    get reply() {
      return reply
    },
    get last() {
      return reply.at(-1)!
    },
    get isReplyComplete() {
      return reply.length >= asked
    },
    get lastFailure() {
      return lastFailure
    },
    beforeCalls(asking) {
      replies++
      asked = asking.calls.length
      reply = []
      return undefined
    },
    afterCall(finished) {
      calls++
      reply.push(sight(finished))
      return undefined
    },
    reset() {
      pairs.clear()
      reply = []
      lastFailure = undefined
    },
  }
}

function failureKind(result: ToolResult, isNew: boolean, isChanged: boolean): Sighting['kind'] {
  if (result.failure?.recoverable) return 'transient'
  if (isChanged) return 'changed-failure'
  return isNew ? 'failure' : 'repeat-failure'
}

const TASKS = ['prompt', 'task', 'instructions']

/** An answer that leaves the task undone. */
const UNDONE =
  /\?\s*$|\b(?:could not|couldn't|cannot|can't|unable to|not able to|no access|not connected|not found|waits? for|waiting for|stopped before|incomplete|please (?:specify|tell|provide))\b/i

/**
 * Which successes are compared with each other. An agent that asks back or gives up does so for any wording of the task,
 * so the wording does not count there.
 */
function successKey(call: ToolCall, { text }: ToolResult): number {
  const task = TASKS.find((name) => typeof call.arguments[name] === 'string')
  if (task === undefined || !UNDONE.test(text.slice(-1000))) return looseCall(call)
  return looseCall({ ...call, arguments: { ...call.arguments, [task]: 'whatever' } })
}

function exactOf(pair: Pair): string {
  pair.exact ??= canonicalCall(pair.call)
  return pair.exact
}
