import type { ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { UserInput } from '../context/media.ts'
import { runTurn } from '../engine/run-turn.ts'
import { failAtCap } from '../seams/checkpoints/fail-at-cap.ts'
import type { Message } from '../turn/message.ts'
import { newThreadId } from '../turn/new-id.ts'
import { createAgent, createTurn, openConversation, openLine, toProgress } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { EventTaps, streamTurn } from './event-stream.ts'

/** What a stateless run takes besides what every agent takes. */
export interface StatelessOptions extends AgentOptions {
  readonly input: UserInput
  /** The conversation so far, kept by the caller. */
  readonly messages?: readonly Message[]
  readonly threadId?: string
  readonly signal?: AbortSignal
}

/** The entry point for channels, one-shot runs and triage: nothing is kept, and a limit is a failure that says so. */
export async function runStateless(options: StatelessOptions): Promise<TurnOutcome> {
  const agent = createAgent('stateless', options)
  const turn = createTurn(agent, {
    conversation: openConversation(agent, options.messages),
    input: options.input,
    line: openLine(agent, (options.threadId ?? newThreadId()) as ThreadId),
    signal: options.signal ?? new AbortController().signal,
    checkpoint: options.checkpoint ?? failAtCap,
  })
  return runTurn(turn)
}

/** The events of a stateless run. It begins with the first read; leaving the loop stops nothing, the signal does. */
export function streamStateless({
  onEvent,
  progress,
  ...options
}: StatelessOptions): AsyncIterable<TurnEvent> {
  const watching = toProgress({ ...options, ...(onEvent && { onEvent }), ...(progress && { progress }) })
  const taps = new EventTaps((event) => watching.report(event))
  const begin = async () => ({ runId: undefined, outcome: runStateless({ ...options, progress: taps }) })
  return streamTurn((tap) => taps.add(tap), begin)
}
