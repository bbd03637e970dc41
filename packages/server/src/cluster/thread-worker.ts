import type { Session, Threads } from '@capstan/harness'
import { HeldError, StoreError } from '@capstan/harness'
import type { Store, ThreadOwnership } from '@capstan/harness/stores'
import type { ThreadId, ThreadRow } from '@capstan/protocol'
import type { ClusterMetrics } from '../observe/metrics/cluster-metrics.ts'
import type { WakeUp } from './wake-up.ts'
import { createWakeUp } from './wake-up.ts'
import type { Commands, OpenCommand } from './commands.ts'

/** A bell may be lost: commands are looked for by themselves this often. */
const LOOK_MS = 1_000
/** A turn that cannot be recorded is tried again after this time, and then left to whoever finds it. */
const PAUSE_MS = 200
const MAX_FAILURES = 3

/** Runs threads on this node. */
export interface ThreadWorker {
  /**
   * Takes a thread over, carries its commands out in order, resumes its turn and stays while it runs. Settles when there is
   * nothing left to do, or when another node has the thread. Rejects when the database cannot be used.
   */
  work(threadId: string): Promise<void>
  /** Whether this node is running the thread. */
  has(threadId: string): boolean
  /** There is a command for a thread. */
  call(threadId: string): void
  callAll(): void
  /** Gives up the threads that another node has taken over meanwhile: no further call starts in them. */
  giveUpMoved(): Promise<void>
  /** Gives up every thread, so that other nodes take them over. What `work` was doing never settles. */
  leave(): Promise<void>
  readonly size: number
}

interface WorkerOptions {
  readonly store: Store
  readonly commands: Commands
  /** The threads of a user in this process. */
  readonly threadsOf: (userId: string) => Threads
  /** Does what a command says, and stores the answer. False when it was left to another node. */
  readonly carryOut: (command: OpenCommand, session: Session, epoch: number) => Promise<boolean>
  /** Refuses the commands of a thread that is gone. */
  readonly refuseAll: (threadId: string) => Promise<void>
  /** Called before a thread is worked on: counts, and ends a turn that has brought down one node after the other. */
  readonly attempts: Attempts
  /** Has some node look after the thread. */
  readonly enqueue: (threadId: string) => Promise<void>
  readonly metrics: Pick<ClusterMetrics, 'countMoved' | 'countWait'>
  readonly onProblem: (error: unknown, threadId?: ThreadId) => void
}

/** Bounds how often an interrupted turn is resumed. */
export interface Attempts {
  begin(threadId: ThreadId, userId: string, session: Session): Promise<void>
  /** It ended well, or was left on purpose. */
  forget(threadId: ThreadId): Promise<void>
}

/** One thread that this node runs. */
interface Work {
  readonly threadId: ThreadId
  readonly userId: string
  readonly threads: Threads
  readonly epoch: number
  readonly wakeUp: WakeUp
  isGivenUp: boolean
  /** Why the turn could not be resumed. */
  failure?: unknown
}

const createWork = ({ id, userId }: ThreadRow, threads: Threads, epoch: number): Work => ({
  threadId: id,
  userId,
  threads,
  epoch,
  wakeUp: createWakeUp(),
  isGivenUp: false,
})

const hasMoved = async (ownership: ThreadOwnership, { threadId, epoch }: Work): Promise<boolean> =>
  (await ownership.ownerOf(threadId))?.epoch !== epoch

/** False: the turn is left to whoever finds it. Only what may be the fault of the turn counts against it. */
async function mayTryAgain(own: Work, failures: number, attempts: Attempts): Promise<boolean> {
  const { failure } = own
  if (!(failure instanceof HeldError) && failures < MAX_FAILURES) {
    delete own.failure
    await own.wakeUp.sleep(PAUSE_MS)
    return true
  }
  if (failure instanceof HeldError || failure instanceof StoreError) await attempts.forget(own.threadId)
  return false
}

export function createThreadWorker(options: WorkerOptions): ThreadWorker {
  const { store, commands, attempts, metrics, onProblem } = options
  const ownership = store.ownership!
  const working = new Map<string, Work>()
  let isLeaving = false

  async function work(threadId: string): Promise<void> {
    const thread = await store.threads.get(threadId as ThreadId)
    if (!thread) return options.refuseAll(threadId)
    const threads = options.threadsOf(thread.userId)
    if (!(await commands.hasOpen(threadId)) && !(await threads.hasWork(threadId))) return
    const epoch = await ownership.claim(thread.id)
    if (epoch === undefined) return options.refuseAll(threadId)
    const before = working.get(threadId)
    if (before) giveUp(before)
    const own = createWork(thread, threads, epoch)
    working.set(threadId, own)
    try {
      await workOn(own, await threads.reopen(threadId))
    } finally {
      await endWork(own)
    }
    // A command that came after the last look was sent to this node.
    if (!own.isGivenUp && (await commands.hasOpen(threadId))) await options.enqueue(threadId)
  }

  /** Until the thread is idle or waits for somebody, and no command is left. */
  async function workOn(own: Work, session: Session): Promise<void> {
    const { threads, threadId, epoch, wakeUp } = own
    // Read first: a stop must find the turn parked. Whoever uses a thread that cannot be read reports it.
    await session.load().catch(() => {})
    await attempts.begin(threadId, own.userId, session)
    // Before the commands: a message or a stop for an interrupted turn must find it running.
    if (await threads.hasWork(threadId)) resume(own, session)
    let failures = 0
    while (!own.isGivenUp) {
      const command = await commands.begin(threadId, epoch)
      if (own.isGivenUp) return
      if (command) {
        metrics.countWait(Date.now() - command.createdAt)
        if (!(await options.carryOut(command, session, epoch)))
          return (await isMoved(own)) ? leaveMoved(own) : undefined
        if (command.kind === 'remove' && !(await threads.get(threadId))) return attempts.forget(threadId)
      } else if (session.state === 'running') await wakeUp.sleep(LOOK_MS, session.idle())
      else if (own.failure) {
        if (!(await mayTryAgain(own, ++failures, attempts))) return
      } else if (await threads.hasWork(threadId)) {
        if (await isMoved(own)) return leaveMoved(own)
        resume(own, session)
      } else return attempts.forget(threadId)
    }
  }

  /** The session is running afterwards, or soon has a failure. */
  function resume(own: Work, session: Session): void {
    session.resume({ untilParked: true }).catch((error: unknown) => {
      own.failure = error
      own.wakeUp.call()
      if (!own.isGivenUp && !(error instanceof HeldError)) onProblem(error, own.threadId)
    })
  }

  const isMoved = (own: Work): Promise<boolean> => hasMoved(ownership, own)
  const leaveMoved = (own: Work): void => (metrics.countMoved(), giveUp(own))

  function giveUp(own: Work): void {
    if (own.isGivenUp) return // the session of now may be that of later work
    own.isGivenUp = true
    own.threads.drop(own.threadId)
    own.wakeUp.call()
  }

  async function endWork(own: Work): Promise<void> {
    if (isLeaving) return new Promise(() => {}) // unfinished: another node goes on with it
    if (working.get(own.threadId) !== own) return
    working.delete(own.threadId)
    own.threads.drop(own.threadId)
    await ownership.release(own.threadId, own.epoch)
  }

  return {
    work,
    has: (threadId) => working.has(threadId),
    call: (threadId) => working.get(threadId)?.wakeUp.call(),
    callAll: () => working.forEach(({ wakeUp }) => wakeUp.call()),
    async giveUpMoved() {
      for (const own of working.values()) if (await isMoved(own)) leaveMoved(own)
    },
    async leave() {
      isLeaving = true
      const left = [...working.values()]
      left.forEach(giveUp)
      await Promise.allSettled(left.map(async ({ threadId }) => attempts.forget(threadId)))
      await Promise.allSettled(left.map(async ({ threadId, epoch }) => ownership.release(threadId, epoch)))
    },
    get size() {
      return working.size
    },
  }
}
