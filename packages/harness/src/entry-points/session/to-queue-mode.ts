import type { QueueMode } from '@capstan/protocol'

/** Reads a queue mode that may be a function, which is asked each time. Default `one-by-one`. */
export const toQueueMode = (mode: QueueMode | (() => QueueMode) = 'one-by-one'): (() => QueueMode) =>
  typeof mode === 'function' ? mode : () => mode
