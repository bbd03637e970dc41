import { hash } from 'node:crypto'
import type { Threads, UnattendedOrigin } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import type { RunId, ThreadId } from '@capstan/protocol'
import { createOneByOne } from '../documents/one-by-one.ts'
import { toApiError } from '../http/to-api-error.ts'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import type { AdmitUnattended } from './admit-unattended.ts'
import type { UnattendedOutcome } from './to-outcome.ts'
import { readOutcome } from './read-outcome.ts'

/** A turn to start while nobody looks. */
interface UnattendedRequest {
  readonly userId: string
  /** `schedule`: the prompt is the person's own words. `trigger`: the prompt counts as untrusted text, too. */
  readonly origin: UnattendedOrigin
  /** A thread of this user to start it in. Absent: a thread of its own, whose id follows from the message id. */
  readonly threadId?: string
  /** The title of a thread of its own. */
  readonly title: string
  readonly prompt: string
  /** What somebody else wrote: the payload of a trigger. It is framed, and counts for the data-flow rule. */
  readonly untrusted?: { readonly source: string; readonly text: string }
  /** Two requests of one user with the same id, in the same thread, are one turn. */
  readonly messageId: string
  readonly limits?: UnattendedLimits
}

/** What the turn may use, sub-agents included. A limit that is reached ends it in a report that can be continued. */
interface UnattendedLimits {
  readonly usd?: number
  readonly wallClockMs?: number
}

/** What became of a request. */
type UnattendedStart =
  /** The turn is stored and will run to its end, here or on another node, also after a crash. */
  | ({ readonly type: 'started' } & FoundTurn)
  /**
   * Nothing was started. Ask again later: another turn runs or waits in the thread, a member has as many turns running as
   * they may, or everything is stopped.
   */
  | { readonly type: 'later'; readonly reason: 'busy' | 'held' }
  /** Nothing was started: the named thread is gone, or is not this user's. */
  | { readonly type: 'gone' }

/** A turn that is stored, and where. */
interface FoundTurn {
  readonly threadId: ThreadId
  readonly runId?: RunId
}

/**
 * Turns that run without a person.
 *
 * Only calls that read run by themselves, in the turn and in all its sub-agents. Every other call asks, whatever the safety
 * mode, the rules, a policy function and the grants say, and the turn is parked until a person answers. The origin and the
 * budget are stored with the turn, so a restart or another node keeps them. An app that is not connected is a failed call,
 * not a wait. A person's message in the thread starts an ordinary turn.
 */
export interface Unattended {
  /**
   * Starts a turn and settles when it is stored; the turn goes on by itself. Safe to repeat with the same message id, after
   * a crash, too. Never ends or joins another turn. Rejects when nothing could be stored, and when a
   * limit of a member is reached; repeat it then.
   */
  run(request: UnattendedRequest): Promise<UnattendedStart>
  /** The turn that `run` has started for this message. Undefined: it has started none. */
  find(request: Pick<UnattendedRequest, 'userId' | 'threadId' | 'messageId'>): Promise<FoundTurn | undefined>
  /** How the turn of a message stands. Read from the store: nothing is kept in memory for it. */
  outcomeOf(userId: string, threadId: string, messageId: string): Promise<UnattendedOutcome>
}

/** The budget of a turn whose request sets none. */
const DEFAULT_LIMITS = { usd: 1, wallClockMs: 30 * 60_000 }
/** 200 steps, sub-agents included, and one more call for the report. */
const MAX_CALLS = 200 + 1

export function createUnattended(options: {
  readonly store: Pick<Store, 'runs' | 'threads'>
  readonly threadsOf: (userId: string) => Pick<Threads, 'create' | 'get'>
  readonly actionsOf: (userId: string) => Pick<ThreadActions, 'startUnattended'>
  readonly admit: AdmitUnattended
}): Unattended {
  const { store, threadsOf, actionsOf, admit } = options
  const oneByOne = createOneByOne()

  async function findThread(request: UnattendedRequest): Promise<ThreadId | undefined> {
    const { userId, threadId, title } = request
    const threads = threadsOf(userId)
    const known = await threads.get(threadId ?? ownThreadId(request))
    if (known || threadId !== undefined) return known?.id
    await admit.newThread(userId)
    return (await threads.create({ id: ownThreadId(request), title })).id
  }

  async function start(request: UnattendedRequest): Promise<UnattendedStart> {
    const { userId, messageId, prompt: text, origin, untrusted, limits } = request
    const budget = { ...DEFAULT_LIMITS, ...limits, iterations: MAX_CALLS }
    try {
      if (!(await admit.turn(userId))) return { type: 'later', reason: 'busy' }
      const threadId = await findThread(request)
      if (threadId === undefined) return { type: 'gone' }
      const post = { messageId, text, origin, budget, ...(untrusted && { untrusted }) }
      const { runId } = await actionsOf(userId).startUnattended(threadId, post)
      return { type: 'started', threadId, ...(runId !== undefined && { runId }) }
    } catch (error) {
      // Another node describes its errors like this.
      const { code } = toApiError(error)
      if (code === 'conflict') return { type: 'later', reason: 'busy' }
      if (code === 'held') return { type: 'later', reason: 'held' }
      throw error
    }
  }

  return {
    // One after the other: two at once would not see each other's turn.
    run: (request) => oneByOne(request.userId, () => start(request)),
    async find({ userId, threadId, messageId }) {
      // A named thread may have been deleted: then the turn is in a thread of its own.
      for (const id of [threadId, ownThreadId({ userId, messageId })]) {
        const thread = id === undefined ? undefined : await store.threads.get(id as ThreadId)
        const run = thread?.userId === userId && (await store.runs.findByMessage(thread.id, messageId))
        if (run) return { threadId: thread.id, runId: run.id }
      }
      return undefined
    },
    outcomeOf: (userId, threadId, messageId) => readOutcome(store, userId, threadId, messageId),
  }
}

/** The same request gets the same thread again. */
const ownThreadId = ({ userId, messageId }: Pick<UnattendedRequest, 'userId' | 'messageId'>): ThreadId =>
  `thread_${hash('sha256', JSON.stringify([userId, messageId])).slice(0, 32)}` as ThreadId
