import type { Failure } from '@capstan/protocol'

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

/**
 * An image or file that a tool hands over. Images and files reach a model that can look at them and are described to one
 * that cannot; text files become text. What is over `limits.media` is left out, and the model is told.
 */
export type ToolMedia = { readonly mediaType: string; readonly name?: string } & (
  | { readonly bytes: Uint8Array; readonly data?: undefined }
  /** In base64. */
  | { readonly data: string; readonly bytes?: undefined }
)

const outcome: unique symbol = Symbol('capstan.tool-outcome')

/** What a tool says of itself. A tool may also return any plain value, or throw. */
export interface ToolOutcome extends OutcomeFacts {
  readonly [outcome]: true
  readonly ok: boolean
  readonly text: string
  readonly media?: readonly ToolMedia[]
}

/** It worked: `text` is what the model reads, `media` what it looks at besides. */
export function succeed(text: string, more: { media?: readonly ToolMedia[] } = {}): ToolOutcome {
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
