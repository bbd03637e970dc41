import type { Failure } from '@capstan/protocol'
import type { MediaPart } from './message.ts'

/** Facts about what happened, known where it happened. They decide the failure class before any text does. */
export interface OutcomeFacts {
  readonly timedOut?: boolean
  readonly deniedBy?: 'policy' | 'user' | 'expiry'
  readonly exitCode?: number
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly errorCode?: string
  readonly interrupted?: boolean
  readonly cancelled?: boolean
  /** Already classified further down, by a sub-agent: passed on as it is. */
  readonly failure?: Failure
}

const outcome: unique symbol = Symbol('capstan.tool-outcome')

/** An image or a file that a tool returns, with its bytes. */
export interface ToolMedia {
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly name?: string
}

/** What a tool says of itself. A tool may also return any plain value, or throw. */
export interface ToolOutcome extends OutcomeFacts {
  readonly [outcome]: true
  readonly ok: boolean
  readonly text: string
  /** A part with a `ref` is kept already. */
  readonly media?: readonly (MediaPart | ToolMedia)[]
}

export function succeed(text: string, more: { readonly media?: ToolOutcome['media'] } = {}): ToolOutcome {
  return { [outcome]: true, ok: true, text, media: more.media }
}

/** Say why in `text`, and what is known for sure in `facts`. */
export function fail(text: string, facts: OutcomeFacts = {}): ToolOutcome {
  return { [outcome]: true, ok: false, text, ...facts }
}

export function isToolOutcome(value: unknown): value is ToolOutcome {
  if (typeof value !== 'object' || value === null) return false
  try {
    return outcome in value
  } catch {
    return false // a proxy may throw at a mere question
  }
}
