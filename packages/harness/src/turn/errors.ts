import type { FieldProblem, WaitsFor } from '@capstan/protocol'

/** Facts about a failed model call. `failures/` words them. */
export interface ModelErrorFacts {
  readonly kind:
    | 'http' // the provider answered with an error status
    | 'network' // no answer
    | 'idle-timeout' // the stream stopped moving
    | 'total-timeout' // the whole call took too long
    | 'cut' // the stream ended without its end marker
    | 'malformed' // the answer was not what the provider promised
    | 'refused' // the provider's filter stopped the reply
    | 'unsupported' // the model cannot do what was asked (vision, files)
  readonly model: string
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly errorCode?: string
  /** The same request may work a moment later. */
  readonly retryable: boolean
}

/** A model call failed. The message is for logs; users get the classified failure. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly facts: ModelErrorFacts

  constructor(message: string, facts: ModelErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.facts = facts
  }
}

/** Invalid settings. Thrown at construction; the message names the field. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly field: string
  /** For screens that have words of their own for it. */
  readonly problem?: FieldProblem

  constructor(field: string, sentence: string, problem?: FieldProblem) {
    super(`${field}: ${sentence}`)
    this.field = field
    if (problem) this.problem = problem
  }
}

/** A turn is already running or parked: a session runs one turn at a time. */
export class TurnInProgressError extends Error {
  override readonly name = 'TurnInProgressError'
  /** What the turn waits for. Set when it is parked. */
  readonly waitsFor: WaitsFor | undefined

  constructor(waitsFor?: WaitsFor) {
    super(
      waitsFor
        ? `the turn waits for ${waitsFor.kind}: answer it, or send a message to give it up`
        : 'a turn is running: use steer() or followUp() to add to it, or stop() to end it',
    )
    this.waitsFor = waitsFor
  }
}

/** A message was refused before it reached a turn. */
export class NotDeliveredError extends Error {
  override readonly name = 'NotDeliveredError'

  constructor(reason: string) {
    super(`the message was not delivered: ${reason}`)
  }
}

/** Why an interrupted turn is ended instead of resumed: it was resumed too often. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

/** The process is shutting down and starts no turn. Unfinished turns resume at the next start. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError'

  constructor() {
    super('shutting down: send it again after the restart')
  }
}

/** The user has stopped everything. Nothing starts or resumes until the hold is released. */
export class HeldError extends Error {
  override readonly name = 'HeldError'

  constructor() {
    super('everything is stopped: release it before you send a message')
  }
}

/** Why a store failed. */
export type StoreProblem =
  | 'full' // no space left; works again when there is some
  | 'locked' // another process owns it
  | 'moved' // another node has claimed the thread: this one must not act for it any more
  | 'lost' // the database crashed and lost the last commits of the thread: it must be read again
  | 'damaged' // not readable, or not what was written
  | 'newer' // written by a newer version
  | 'invalid' // the request is wrong: a bug, or bad input
  | 'closed'
  | 'io' // any other error of the disk or the server

/** A store failed. The message is one plain sentence a person can act on. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreProblem

  constructor(kind: StoreProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * The run is parked. Thrown through the whole tree of runs, up to a sub-agent that was started without waiting; the ledger
 * holds everything that is needed to resume. Neither an end nor a failure.
 */
export class TurnParked extends Error {
  override readonly name = 'TurnParked'
  /** It goes on when one of these has happened. */
  readonly waits: readonly WaitsFor[]

  constructor(waits: readonly WaitsFor[]) {
    super(`the run waits for ${waits.map(({ kind, id }) => `${kind} ${id}`).join(', ')}`)
    this.waits = waits
  }
}

/** The turn can no longer be recorded, so it must not continue. Ends every run of the turn. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'

  constructor(cause: unknown) {
    super('the turn could not be recorded', { cause })
  }
}

/** Whether an error ends the whole tree of runs: the turn is parked or cannot be recorded. */
export function endsTheTree(error: unknown): boolean {
  try {
    return error instanceof TurnParked || error instanceof RecordingError
  } catch {
    return false // `instanceof` may throw for a proxy
  }
}
