import type {
  CallId,
  Failure,
  RunId,
  ThreadId,
  TurnEvent,
  TurnEventBody,
  TurnOutcome,
} from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'

const DONE: TurnOutcome = {
  type: 'done',
  text: 'All found.',
  iterations: 2,
  usage: { ...NO_USAGE, inputTokens: 1200, outputTokens: 80, estimatedUsd: 0.0042 },
}

const EXPIRED: Failure = {
  class: 'bad_credentials',
  category: 'needs_user',
  cause: 'The sign-in has expired.',
  next: 'Reconnect the account.',
  recoverable: false,
}

let lastSeq = 0

/** One event of a run. Events are numbered in the order they are created, as those of one thread. */
export function eventOf(run: string, at: number, body: TurnEventBody): TurnEvent {
  return { ...body, threadId: 'thread' as ThreadId, runId: run as RunId, seq: ++lastSeq, at }
}

export const turnStart = (
  run: string,
  at: number,
  parent?: { readonly run: string; readonly call: string },
): TurnEvent =>
  eventOf(run, at, {
    type: 'turn-start',
    agent: run,
    depth: parent ? 1 : 0,
    model: 'm',
    text: 'go',
    ...(parent ? { parent: { runId: parent.run as RunId, callId: parent.call as CallId } } : undefined),
  })

export const iterationStart = (run: string, at: number): TurnEvent =>
  eventOf(run, at, { type: 'iteration-start', iteration: 1, maxIterations: 10 })

export const textDelta = (run: string, at: number, delta: string): TurnEvent =>
  eventOf(run, at, { type: 'text-delta', iteration: 1, delta })

export const toolStart = (run: string, at: number, call: string, label: string, detail?: string): TurnEvent =>
  eventOf(run, at, {
    type: 'tool-start',
    iteration: 1,
    callId: call as CallId,
    tool: call,
    arguments: {},
    label,
    ...(detail === undefined ? undefined : { detail }),
  })

export const toolEnd = (
  run: string,
  at: number,
  call: string,
  durationMs: number,
  failure?: Failure,
): TurnEvent =>
  eventOf(run, at, {
    type: 'tool-end',
    iteration: 1,
    callId: call as CallId,
    tool: call,
    ok: failure === undefined,
    output: '',
    outputBytes: 0,
    durationMs,
    ...(failure ? { failure } : undefined),
  })

export const turnEnd = (run: string, at: number, outcome: TurnOutcome = DONE): TurnEvent =>
  eventOf(run, at, { type: 'turn-end', outcome })

export const ending = (outcome: Partial<TurnOutcome> & Pick<TurnOutcome, 'type'>): TurnOutcome =>
  ({ ...DONE, ...outcome }) as TurnOutcome

export { DONE, EXPIRED }

/** A turn with a successful call, a failed call, and a sub-agent whose only call has the id of a call of its parent. */
export const SAMPLE_TURN: readonly TurnEvent[] = [
  turnStart('top', 1000),
  iterationStart('top', 1001),
  textDelta('top', 1002, 'Let me look.'),
  toolStart('top', 1010, 'a', 'Search notes', 'ferry'),
  toolStart('top', 1010, 'b', 'Read calendar', 'tonight'),
  toolEnd('top', 1022, 'a', 12),
  toolEnd('top', 1510, 'b', 500, EXPIRED),
  iterationStart('top', 1511),
  toolStart('top', 1600, 'c', 'Ask notes helper', 'What to pack'),
  turnStart('child', 1601, { run: 'top', call: 'c' }),
  iterationStart('child', 1602),
  textDelta('child', 1603, 'Hm.'),
  toolStart('child', 1610, 'a', 'Read note', 'Packing'),
  toolEnd('child', 1613, 'a', 3),
  turnEnd('child', 1700),
  toolEnd('top', 2850, 'c', 1250),
  iterationStart('top', 2851),
  textDelta('top', 2900, 'All found.'),
  turnEnd('top', 3000),
]
