import type { Failure, FailureRemedy } from '@capstan/protocol'

/** Facts about a call, known where it ran. They decide the failure class before any text does. */
export interface OutcomeFacts {
  readonly timedOut?: boolean
  readonly deniedBy?: 'policy' | 'user' | 'expiry'
  readonly exitCode?: number
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly errorCode?: string
  readonly interrupted?: boolean
  readonly cancelled?: boolean
  /** Nothing has happened: it ended before anything was started or sent. */
  readonly notStarted?: boolean
  /** How often it was tried, if more than once. */
  readonly tries?: number
  /** What a person can do about it with one press. */
  readonly remedy?: FailureRemedy
  /** A failure that a sub-agent already classified; passed on unchanged. */
  readonly failure?: Failure
}

/**
 * An image or file of a tool result. It reaches a model that can read it and is described to one that cannot; text files
 * become text. Media over `limits.media` are left out, and the result says so.
 */
export type ToolMedia = { readonly mediaType: string; readonly name?: string } & (
  | { readonly bytes: Uint8Array; readonly data?: undefined }
  /** In base64. */
  | { readonly data: string; readonly bytes?: undefined }
)

// Also that of another copy of this package, such as the one in a worker.
const outcome: unique symbol = Symbol.for('capstan.tool-outcome')

/** The outcome of a call, as its tool reports it. A tool may also return any plain value, or throw. */
export interface ToolOutcome extends OutcomeFacts {
  readonly [outcome]: true
  readonly ok: boolean
  readonly text: string
  /** Words of the harness before the text. They stay outside of the frame around text from outside. */
  readonly lead?: string
  readonly media?: readonly ToolMedia[]
}

/** A successful outcome: the model reads `text` and `media`. */
export function succeed(text: string, more: { media?: readonly ToolMedia[] } = {}): ToolOutcome {
  return { [outcome]: true, ok: true, text, media: more.media }
}

/** A failed outcome: `text` gives the reason, `facts` what is certain. */
export function fail(text: string, facts: OutcomeFacts = {}): ToolOutcome {
  return { [outcome]: true, ok: false, text, ...facts }
}

/** Whether a value was made by `succeed` or `fail`. Never throws. */
export function isToolOutcome(value: unknown): value is ToolOutcome {
  if (typeof value !== 'object' || value === null) return false
  try {
    return outcome in value
  } catch {
    return false // a property read may throw for a proxy
  }
}
