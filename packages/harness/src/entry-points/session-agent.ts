import type { ThreadId, TurnOutcome } from '@capstan/protocol'
import type { Conversation } from '../context/conversation.ts'
import type { UserInput } from '../context/media.ts'
import { GO_ON } from '../context/notices.ts'
import { ContextWindow } from '../context/window.ts'
import { runTurn } from '../engine/run-turn.ts'
import { createMemoryThreadLog } from '../ports/memory-thread-log.ts'
import type { ThreadLog } from '../ports/thread-log.ts'
import { createSummaryCheckpoint } from '../seams/checkpoints/summarise-at-cap.ts'
import { createThreadLogObserver } from '../seams/observers/thread-log-observer.ts'
import { ConfigurationError, TurnInProgressError } from '../turn/errors.ts'
import type { Delivery } from '../turn/inbox.ts'
import { Inbox } from '../turn/inbox.ts'
import type { Message } from '../turn/message.ts'
import { newThreadId } from '../turn/new-id.ts'
import { createAgent, createTurn, openConversation, openLine } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'

export interface SessionOptions extends AgentOptions {
  readonly threadId?: string
  /** An earlier part of the conversation. */
  readonly messages?: readonly Message[]
  /** Where the transcript is kept. Default: in memory. */
  readonly log?: ThreadLog
}

interface SendOptions {
  readonly signal?: AbortSignal
}

/** A conversation with one person. One turn at a time. */
export interface Session {
  readonly threadId: ThreadId
  readonly messages: readonly Message[]
  readonly log: ThreadLog
  /** Runs a turn to its end. Rejects with `TurnInProgressError` while one is running. */
  send(input: UserInput, options?: SendOptions): Promise<TurnOutcome>
  /** Reaches the model before its next call in the turn that is running. */
  steer(text: string): Promise<Delivery>
  /** Becomes a turn of its own when the one that is running has ended. */
  followUp(text: string): Promise<Delivery>
  /** Goes on from a turn that ended `capped`. A token works once, and only until the next message. */
  resume(token: string, options?: SendOptions): Promise<TurnOutcome>
  /** Ends the running turn, if there is one. */
  stop(): void
  /** Settles when no turn is running and no follow-up is waiting. */
  idle(): Promise<void>
}

/** The chat door: typed history, a frozen prompt, transcripts, steering, and a pause instead of a dead end. */
export function createSession(options: SessionOptions): Session {
  const log = options.log ?? createMemoryThreadLog()
  const observers = [createThreadLogObserver(log), ...(options.observers ?? [])]
  const agent = createAgent('session', { ...options, observers })
  const threadId = (options.threadId ?? newThreadId()) as ThreadId
  const line = openLine(agent, threadId)
  const window = new ContextWindow()
  const checkpoint = createSummaryCheckpoint('user')
  let conversation: Conversation | undefined
  let running:
    | { readonly inbox: Inbox; readonly controller: AbortController; readonly end: Promise<unknown> }
    | undefined
  let resumeToken: string | undefined
  const followUps: { readonly text: string; readonly settle: (delivery: Delivery) => void }[] = []

  // Built at the first turn, when the tools are known; from then on the prompt never changes.
  const open = () => (conversation ??= openConversation(agent, options.messages))

  async function run(
    input: UserInput | undefined,
    { signal, ...more }: SendOptions & { readonly delivery?: 'follow-up'; readonly notice?: string } = {},
  ): Promise<TurnOutcome> {
    if (running) throw new TurnInProgressError()
    resumeToken = undefined
    const controller = new AbortController()
    const inbox = new Inbox()
    const { promise: end, resolve: ended } = Promise.withResolvers<void>()
    // Before the first event: whoever hears of the turn may steer it or stop it.
    running = { inbox, controller, end }
    const onAbort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    let outcome: TurnOutcome | undefined
    try {
      const parts = { conversation: open(), window, line, signal: controller.signal, checkpoint, inbox }
      outcome = await runTurn(createTurn(agent, { ...parts, ...more, input }))
      if (outcome.type === 'capped') resumeToken = outcome.resumeToken
      return outcome
    } finally {
      running = undefined
      signal?.removeEventListener('abort', onAbort)
      startFollowUp(outcome)
      ended()
    }
  }

  function startFollowUp(outcome: TurnOutcome | undefined): void {
    const reason = refusesFollowUp(outcome)
    if (reason !== undefined) {
      for (const { settle } of followUps.splice(0)) settle({ delivered: false, reason })
      return
    }
    const next = followUps.shift()
    if (!next) return
    next.settle({ delivered: true, iteration: 1 })
    // Its outcome is on the event line; whoever needs it listens there or awaits idle().
    void run(next.text, { delivery: 'follow-up' }).then(ignore, ignore)
  }

  return {
    threadId,
    log,
    get messages() {
      return conversation?.history.messages ?? options.messages ?? []
    },
    send: run,
    async steer(text) {
      return running ? running.inbox.post(text) : { delivered: false, reason: 'no turn is running' }
    },
    async followUp(text) {
      if (!running) return { delivered: false, reason: 'no turn is running' }
      return new Promise((settle) => followUps.push({ text, settle }))
    },
    async resume(token, resumeOptions) {
      if (running) throw new TurnInProgressError()
      if (resumeToken === undefined || token !== resumeToken)
        throw new ConfigurationError('token', 'is not the one of the last capped turn')
      return run(undefined, { ...resumeOptions, notice: GO_ON })
    },
    stop: () => running?.controller.abort(new Error('stopped by the user')),
    async idle() {
      for (let turn = running; turn; turn = running) await turn.end
    },
  }
}

function refusesFollowUp(outcome: TurnOutcome | undefined): string | undefined {
  switch (outcome?.type) {
    case 'done':
    case 'halted':
    case 'capped':
      return undefined
    case 'needs-input':
      return 'the turn ended with a question'
    case 'aborted':
      return 'the turn was stopped'
    case 'failed':
    case undefined:
      return 'the turn failed'
  }
}

const ignore = () => {}
