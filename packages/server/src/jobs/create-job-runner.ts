import type { Clock } from '@capstan/harness/seams'
import type { JobStore } from '@capstan/harness/stores'
import type { JobHandler } from './job-handler.ts'
import type { RunningJob } from './run-job.ts'
import { findRoom } from './find-room.ts'
import { LEASE_MS, runJob } from './run-job.ts'

/** Jobs of other nodes, and clocks that jump, are noticed after so long. */
const POLL_MS = 3_000
const MAX_AT_ONCE = 8

/** Runs the jobs that are due. */
export interface JobRunner {
  /** Jobs of its kind run from now on. */
  register(handler: JobHandler): void
  start(): void
  /** Something was added, changed, held or released: look now. */
  wake(): void
  /** A person changed this job: its run ends, if it should. */
  check(userId: string, id: string): void
  /** Aborts what runs, and settles when it has ended or the time is over. What did not end runs again elsewhere, or later. */
  stop(options: { readonly graceMs: number }): Promise<void>
}

/** What a runner needs. */
export interface JobRunnerOptions {
  readonly store: JobStore
  readonly clock: Clock
  /** Names this process. */
  readonly owner: string
  /** Whose jobs do not start, and end if they run. */
  readonly held: () => 'everybody' | readonly string[]
  /** A job of this user started, went on or ended. */
  readonly onChange: (userId: string) => void
  readonly onProblem: (problem: unknown) => void
  /** How many jobs run at once. Default 8. */
  readonly maxAtOnce?: number
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, clock, owner, held, onChange, onProblem, maxAtOnce = MAX_AT_ONCE } = options
  const handlers = new Map<string, JobHandler>()
  const running = new Set<RunningJob>()
  const stopping = new AbortController()
  let isAwake = false
  let wakeUp: (() => void) | undefined
  let looping: Promise<void> | undefined

  function wake(): void {
    isAwake = true
    wakeUp?.()
  }

  function begin(claims: Awaited<ReturnType<JobStore['claimDue']>>): void {
    for (const claim of claims) {
      const handler = handlers.get(claim.job.kind)
      if (!handler) continue
      const job = runJob(claim, {
        store,
        clock,
        handler,
        onChange: () => onChange(claim.userId),
        onProblem,
      })
      running.add(job)
      onChange(claim.userId)
      void job.ended.then(() => {
        running.delete(job)
        wake()
      })
    }
  }

  function abortHeld(users: ReturnType<typeof held>): void {
    for (const job of running) if (users === 'everybody' || users.includes(job.claim.userId)) job.abort()
  }

  /** Starts what is due. Answers with how long nothing else will be. */
  async function startDue(): Promise<number> {
    const users = held()
    abortHeld(users)
    const room = findRoom(handlers, running, maxAtOnce)
    if (users === 'everybody' || room.kinds.length === 0 || room.limit <= 0) return POLL_MS
    const asked = { kinds: room.kinds, exceptUsers: users }
    const now = clock.now()
    const claims = await store.claimDue({ ...asked, now, owner, leaseMs: LEASE_MS, limit: room.limit })
    begin(claims)
    // There may be more, and room for it.
    if (claims.length === room.limit) wake()
    const next = await store.nextDueAt(asked)
    // What is due and was not claimed waits for another with its key.
    return next === undefined || next <= now ? POLL_MS : Math.min(POLL_MS, next - now)
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      wakeUp = () => {
        cancel()
        resolve()
      }
    })

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      isAwake = false
      const pauseMs = await startDue().catch((error: unknown) => {
        onProblem(error)
        return POLL_MS
      })
      if (!isAwake && !stopping.signal.aborted) await sleep(pauseMs)
      wakeUp = undefined
    }
  }

  return {
    register(handler) {
      handlers.set(handler.kind, handler)
      wake()
    },
    start: () => void (looping ??= loop()),
    wake,
    check(userId, id) {
      for (const job of running) if (job.claim.userId === userId && job.claim.id === id) void job.renew()
    },
    async stop({ graceMs }) {
      stopping.abort()
      wake()
      await looping
      for (const job of running) job.abort()
      const ended = Promise.all([...running].map((job) => job.ended))
      let cancel = (): void => {}
      const late = new Promise<void>((resolve) => (cancel = clock.after(graceMs, resolve)))
      await Promise.race([ended, late])
      cancel()
    },
  }
}
