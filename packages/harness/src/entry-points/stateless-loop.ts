import type { ThreadId, TurnOutcome } from '@capstan/protocol'
import type { UserInput } from '../context/media.ts'
import { runTurn } from '../engine/run-turn.ts'
import { failAtCap } from '../seams/checkpoints/fail-at-cap.ts'
import type { Message } from '../turn/message.ts'
import { newThreadId } from '../turn/new-id.ts'
import { createAgent, createTurn, openConversation, openLine } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'

export interface StatelessOptions extends AgentOptions {
  readonly input: UserInput
  /** What was said before, kept by the caller. */
  readonly messages?: readonly Message[]
  readonly threadId?: string
  readonly signal?: AbortSignal
}

/** The door for channels, one-shot runs and triage: nothing is kept, and a limit is a failure that says so. */
export async function runStateless(options: StatelessOptions): Promise<TurnOutcome> {
  const agent = createAgent('stateless', options)
  const turn = createTurn(agent, {
    conversation: openConversation(agent, options.messages),
    input: options.input,
    line: openLine(agent, (options.threadId ?? newThreadId()) as ThreadId),
    signal: options.signal ?? new AbortController().signal,
    checkpoint: failAtCap,
  })
  return runTurn(turn)
}
