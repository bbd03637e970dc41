import type { RunId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import { quietClock } from '../../turn/clock.ts'
import { TurnInProgressError } from '../../turn/errors.ts'
import { Inbox } from '../../turn/message/inbox.ts'

/** The running turn of a thread. */
export interface RunningTurn {
  readonly inbox: Inbox
  readonly signal: AbortSignal
  /** Set when the run exists. */
  runId?: RunId
  /** Its end or its park was announced; the thread is free in a moment. */
  isLeaving?: boolean
  /** Settles when the thread is free again. */
  readonly end: Promise<void>
  stop(why: Error): void
  /** Calls `work` when the thread is free again, so that a caller that learns of the end may send at once. */
  afterwards(work: () => void): void
}

interface OwnedTurn extends RunningTurn {
  free(): void
}

type State =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly turn: OwnedTurn }
  /** The turn has not ended and will be resumed. Its inbox keeps the messages for it. */
  | { readonly type: 'parked'; readonly inbox: Inbox }

/** How the last turn ended. `done` for a thread without turns. */
export type LastEnding = TurnOutcome['type']

/** How long a message waits for an announced end. */
const LEAVING_MS = 1_000

/** The state of a thread: idle, running or parked. The only place where it changes. */
export class ThreadState {
  #state: State = { type: 'idle' }
  #lastEnding: LastEnding = 'done'

  get type(): State['type'] {
    return this.#state.type
  }

  get running(): RunningTurn | undefined {
    return this.#state.type === 'running' ? this.#state.turn : undefined
  }

  get lastEnding(): LastEnding {
    return this.#lastEnding
  }

  /** Whether messages wait for a parked turn. */
  get holdsMessages(): boolean {
    return this.#state.type === 'parked' && !this.#state.inbox.isEmpty
  }

  /** From idle or parked to running. Throws `TurnInProgressError` while a turn is running. */
  begin(signal?: AbortSignal): RunningTurn {
    if (this.#state.type === 'running') throw new TurnInProgressError()
    const inbox = this.#state.type === 'parked' ? this.#state.inbox : new Inbox()
    const turn = createRunningTurn(inbox, signal)
    this.#state = { type: 'running', turn }
    return turn
  }

  /** From running to idle. */
  end(ending: LastEnding): void {
    this.#lastEnding = ending
    this.#leave({ type: 'idle' })
  }

  /** From running, or from idle when an unfinished turn was read from the ledger, to parked. */
  park(): void {
    if (this.#state.type === 'parked') return
    this.#leave({ type: 'parked', inbox: this.running?.inbox ?? new Inbox() })
  }

  /** Notes that watchers learn that a turn has ended or waits. */
  noteAnnounced({ type, runId }: TurnEvent): void {
    const turn = this.running
    if (turn && turn.runId === runId && (type === 'turn-end' || type === 'turn-park')) turn.isLeaving = true
  }

  /**
   * Settles when a turn whose end was announced has left the thread: a watcher may send at once. Undefined when there is
   * nothing to wait for. Bounded, because the turn waits for its watchers, and one of them may wait for this.
   */
  leaving(): Promise<void> | undefined {
    const turn = this.running
    if (!turn?.isLeaving) return undefined
    return new Promise((resolve) => {
      const cancel = quietClock.after(LEAVING_MS, resolve)
      void turn.end.then(() => {
        cancel()
        resolve()
      })
    })
  }

  /** Settles when no turn is running. */
  async idle(): Promise<void> {
    for (let turn = this.running; turn; turn = this.running) await turn.end
  }

  #leave(next: State): void {
    const left = this.#state
    this.#state = next
    if (left.type === 'running') left.turn.free()
  }
}

function createRunningTurn(inbox: Inbox, signal: AbortSignal | undefined): OwnedTurn {
  const controller = new AbortController()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const later: (() => void)[] = []
  const onAbort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  return {
    inbox,
    end,
    signal: controller.signal,
    stop: (why) => controller.abort(why),
    afterwards: (work) => void later.push(work),
    free() {
      signal?.removeEventListener('abort', onAbort)
      for (const work of later) work()
      resolve()
    },
  }
}
