import type { Bell } from '@capstan/stores/postgres'
import { ApiError } from '../http/api-error.ts'
import { readAnswer } from './command-answer.ts'
import type { Command, Commands } from './commands.ts'
import type { WakeUp } from './wake-up.ts'
import { createWakeUp } from './wake-up.ts'

/** How long a request waits for its answer. */
const WAIT_MS = 20_000
/** A bell may be lost: the answer is looked for by itself this often. */
const LOOK_MS = 1_000

/** Sends commands to the nodes that run their threads. */
export interface Sender {
  /** Stores the command and settles with its result, or with the error that the other node had. */
  send(command: Command): Promise<unknown>
  /** Stores the command, and does not wait for what becomes of it. */
  post(command: Command): Promise<void>
  /** An answer was stored by this node. */
  noteAnswer(threadId: string, id: string): void
}

export function createSender(options: {
  readonly commands: Commands
  readonly bell: Bell
  /** Has somebody look after the commands of a thread. */
  readonly call: (threadId: string) => Promise<void>
}): Sender {
  const { commands, bell, call } = options
  const waiting = new Map<string, Set<WakeUp>>()
  const notify = (key: string): void => waiting.get(key)?.forEach((waiter) => waiter.call())
  bell.on('answer', notify)
  bell.onGap(() => [...waiting.keys()].forEach(notify))

  async function waitFor(command: Command, waiter: WakeUp): Promise<string> {
    const { threadId, id } = command
    const until = performance.now() + WAIT_MS
    for (;;) {
      const answer = await commands.answerOf(threadId, id)
      if (answer !== undefined) return answer
      const leftMs = until - performance.now()
      if (leftMs <= 0) throw stillWaiting()
      await waiter.sleep(Math.min(LOOK_MS, leftMs))
      if (await commands.restore(command)) await call(threadId)
    }
  }

  async function post(command: Command): Promise<void> {
    await commands.add(command)
    await call(command.threadId)
  }

  return {
    post,
    noteAnswer(threadId, id) {
      const key = toKey(threadId, id)
      notify(key)
      bell.ring('answer', key)
    },
    async send(command) {
      const key = toKey(command.threadId, command.id)
      const waiter = createWakeUp()
      const waiters = waiting.get(key) ?? new Set()
      waiting.set(key, waiters.add(waiter))
      try {
        await post(command)
        return readAnswer(await waitFor(command, waiter))
      } finally {
        waiters.delete(waiter)
        if (waiters.size === 0 && waiting.get(key) === waiters) waiting.delete(key)
      }
    },
  }
}

const toKey = (threadId: string, id: string): string => `${threadId} ${id}`

const stillWaiting = (): ApiError =>
  new ApiError(
    'unavailable',
    'It is stored, and is done as soon as a node is free. Look again in a moment.',
    {
      retryAfterMs: 5_000,
    },
  )
