import type { QueueMode, ThreadId, ThreadRow } from '@capstan/protocol'
import { toQueueMode } from '../session/to-queue-mode.ts'

/** The queue mode of each thread, as it is now. A session that is open learns of a change at its next message. */
export class QueueModes {
  readonly #default: () => QueueMode
  /** What was set since the rows were read, here or by another process. */
  readonly #changed = new Map<ThreadId, QueueMode | undefined>()

  constructor(mode?: QueueMode | (() => QueueMode)) {
    this.#default = toQueueMode(mode)
  }

  of({ id, queueMode }: ThreadRow): QueueMode {
    const own = this.#changed.has(id) ? this.#changed.get(id) : queueMode
    return own ?? this.#default()
  }

  set(id: ThreadId, mode: QueueMode | undefined): void {
    this.#changed.set(id, mode)
  }

  forget(id: ThreadId): void {
    this.#changed.delete(id)
  }
}
