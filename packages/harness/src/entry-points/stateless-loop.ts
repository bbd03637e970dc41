import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { UserInput } from '../context/media.ts'
import { runTurn } from '../engine/run-turn.ts'
import { readOutcome } from '../engine/structured-output.ts'
import { failAtCap } from '../seams/checkpoints/fail-at-cap.ts'
import type { Message } from '../turn/message/message.ts'
import type { OutcomeWith, OutputSchema, ResultOf } from '../turn/output-schema.ts'
import { newThreadId } from '../turn/new-id.ts'
import { createAgent, createTurn, openConversation, openLine, toProgress } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { openFlowAfter } from './open-flow.ts'
import { EventTaps, streamTurn } from './event-stream.ts'

/** Options of a stateless run. */
export interface StatelessOptions extends AgentOptions {
  readonly input: UserInput
  /** The earlier messages, which the caller keeps. */
  readonly messages?: readonly Message[]
  readonly threadId?: string
  readonly signal?: AbortSignal
}

/** Runs one turn and keeps nothing. For channels, one-shot runs and triage. A turn that reaches a cap fails. */
export async function runStateless<Schema extends OutputSchema | undefined = undefined>(
  options: StatelessOptions & { readonly output?: Schema & {} },
): Promise<OutcomeWith<ResultOf<Schema>>> {
  const agent = createAgent('stateless', options)
  const conversation = openConversation(agent, options.messages)
  const turn = createTurn(agent, {
    conversation,
    flow: openFlowAfter(options, options.messages ?? [], conversation.surface),
    input: options.input,
    line: openLine(agent, (options.threadId ?? newThreadId()) as ThreadId),
    signal: options.signal ?? new AbortController().signal,
    checkpoint: options.checkpoint ?? failAtCap,
  })
  const outcome = await runTurn(turn)
  const delivered = options.output ? await readOutcome(outcome, options.output) : outcome
  return delivered as OutcomeWith<ResultOf<Schema>>
}

/** Yields the events of a stateless run. The run starts with the first read. Only the signal stops it. */
export function streamStateless({
  onEvent,
  progress,
  ...options
}: StatelessOptions): AsyncIterable<TurnEvent> {
  const watching = toProgress({ ...options, ...(onEvent && { onEvent }), ...(progress && { progress }) })
  const taps = new EventTaps((event) => watching.report(event))
  const begin = async () => ({ runId: undefined, outcome: runStateless({ ...options, progress: taps }) })
  return streamTurn((buffer) => taps.add(buffer), begin)
}
