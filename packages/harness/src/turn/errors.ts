import type { WaitsFor } from '@capstan/protocol'

/** Facts about a model call that failed. Wording is the business of `failures/`. */
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

/** The settings handed to the library cannot work. Thrown at construction, naming the field. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
  }
}

/** A session runs one turn at a time. */
export class TurnInProgressError extends Error {
  override readonly name = 'TurnInProgressError'
  /** Set when the turn is parked, and what for. */
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

/** A message was refused before any turn took it. */
export class NotDeliveredError extends Error {
  override readonly name = 'NotDeliveredError'

  constructor(reason: string) {
    super(`the message was not delivered: ${reason}`)
  }
}

/** The process is shutting down: no turn begins. Unfinished turns go on at the next start. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError'

  constructor() {
    super('shutting down: send it again after the restart')
  }
}

/** Why a store could not do what it was asked. */
export type StoreProblem =
  | 'full' // no space left; works again when there is some
  | 'locked' // another process owns it
  | 'damaged' // not readable, or not what was written
  | 'newer' // written by a newer version
  | 'invalid' // the request makes no sense: a bug, or bad input
  | 'closed'
  | 'io' // anything else the disk or the server said

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
 * The run waits for something outside, and lets go of everything meanwhile: it is thrown through the whole tree of
 * runs, and the ledger holds all that is needed to go on. Neither an end nor a failure.
 */
export class TurnParked extends Error {
  override readonly name = 'TurnParked'
  readonly waitsFor: WaitsFor

  constructor(waitsFor: WaitsFor) {
    super(`the run waits for ${waitsFor.kind} ${waitsFor.id}`)
    this.waitsFor = waitsFor
  }
}

/** What happens can no longer be recorded, so nothing more may happen. Ends every run of the turn. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'

  constructor(cause: unknown) {
    super('the turn could not be recorded', { cause })
  }
}

/** Whether this must rise through everything: no tool and no agent has failed. */
export function endsTheTree(error: unknown): boolean {
  try {
    return error instanceof TurnParked || error instanceof RecordingError
  } catch {
    return false // a proxy may throw at a mere question
  }
}
