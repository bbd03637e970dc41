import type { Assistant } from '../../sessions/assistant.ts'
import type { Caller } from '../../auth/auth.ts'
import type { StoredThread } from '../../sessions/stored-bytes.ts'
import { ApiError } from '../api-error.ts'
import type { Limiters } from './limiters.ts'
import { LIMIT_REASONS } from './limit-reasons.ts'
import { refuseWhen } from './refuse-when.ts'

const MINUTE_MS = 60_000
const MEGABYTE = 1_000_000
/** How many conversations a refusal names. */
const NAMED_THREADS = 3

/** Keeps members within the limits that the owner set. The owner has none. */
export interface MemberLimitGate {
  /**
   * Admits a request that begins a turn, in this thread if it names one. Call the result when the request is answered.
   * Rejects with `limit_reached` or `rate_limited`.
   */
  enterTurn(
    caller: Caller,
    assistant: Assistant,
    message: { readonly threadId: string | undefined; readonly bytes: number },
  ): Promise<() => void>
  /** Rejects with `limit_reached` when a member has as many threads as they may. */
  checkThreads(caller: Caller, assistant: Assistant): Promise<void>
}

export function createMemberLimitGate(limiters: Limiters): MemberLimitGate {
  const messages = limiters.uses('member-messages', MINUTE_MS)
  /** Requests of a member that are about to begin a turn, and count as one until it runs. */
  const beginning = new Map<string, number>()

  async function takeMessage(userId: string, perMinute: number): Promise<void> {
    if (perMinute === 0) throw limitReached('messagesPerMinute')
    refuseWhen(await messages.take(userId, perMinute))
  }

  async function checkTurns(
    { userId }: Caller,
    { store }: Assistant,
    threadId: string | undefined,
    most: number,
  ): Promise<void> {
    const running = await store.runs.list({ userId, status: 'running', depth: 0, limit: most + 1 })
    // A message to a thread with a running turn starts no further one.
    if (running.some((run) => run.threadId === threadId)) return
    if (running.length + (beginning.get(userId) ?? 1) - 1 >= most) throw limitReached('turnsAtOnce')
  }

  async function checkSpending({ userId }: Caller, assistant: Assistant): Promise<void> {
    const allowance = assistant.allowanceOf(userId)
    await allowance.ready()
    const reached = allowance.reached()
    if (reached) throw limitReached(`${reached.unit}Per${reached.period === 'day' ? 'Day' : 'Month'}`)
  }

  async function checkStorage({ userId }: Caller, assistant: Assistant, bytes: number): Promise<void> {
    const { storedBytes, limits } = assistant
    const most = limits.of(userId).storedMegabytes * MEGABYTE
    if ((await storedBytes.of(userId)) + bytes > most) {
      // Before a refusal it is measured again: something may have been deleted.
      const threads = await storedBytes.measure(userId)
      if (threads.reduce((sum, thread) => sum + thread.bytes, bytes) > most) throw storageFull(threads)
    }
    storedBytes.note(userId, bytes)
  }

  function count(userId: string, change: 1 | -1): void {
    const left = (beginning.get(userId) ?? 0) + change
    if (left > 0) beginning.set(userId, left)
    else beginning.delete(userId)
  }

  return {
    async enterTurn(caller, assistant, { threadId, bytes }) {
      if (caller.isOwner) return () => {}
      const { userId } = caller
      const limits = assistant.limits.of(userId)
      count(userId, 1) // before anything is awaited: two requests at once see each other
      try {
        await takeMessage(userId, limits.messagesPerMinute)
        await checkTurns(caller, assistant, threadId, limits.turnsAtOnce)
        await checkSpending(caller, assistant)
        await checkStorage(caller, assistant, bytes)
      } catch (error) {
        count(userId, -1)
        throw error
      }
      return () => count(userId, -1)
    },
    async checkThreads({ isOwner, userId }, { store, limits }) {
      if (isOwner) return
      const most = limits.of(userId).threads
      let found = 0
      for (const archived of [false, true])
        found += (await store.threads.list({ userId, archived, limit: most })).length
      if (found >= most) throw limitReached('threads')
    },
  }
}

const limitReached = (field: keyof typeof LIMIT_REASONS, more = ''): ApiError =>
  new ApiError('limit_reached', `${LIMIT_REASONS[field]}${more}`, { field })

/** Names the largest conversations. */
function storageFull(threads: readonly StoredThread[]): ApiError {
  const largest = threads.slice(0, NAMED_THREADS).map(({ title, bytes }) => {
    const name = title === '' ? 'one without a title' : `"${title}"`
    return `${name} (${(bytes / MEGABYTE).toFixed(1)} MB)`
  })
  return limitReached('storedMegabytes', largest.length > 0 ? ` The largest: ${largest.join(', ')}.` : '')
}
