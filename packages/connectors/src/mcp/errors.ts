/** The server wants a sign-in, or a new one: there is no token, or it is no longer good. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
  readonly challenge: Challenge

  constructor(challenge: Challenge = {}) {
    super('the server asks for a sign-in')
    this.challenge = challenge
  }
}

/** What a server said when it refused: where its metadata lies, and which scopes it wants. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
}

/** The sign-in service could not be asked for a new token. Not the user's business to repair. */
export class SignInUnavailable extends Error {
  override readonly name = 'SignInUnavailable'
}

/** The server answered, but not with what was asked for. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly text: string

  constructor(status: number, text: string, retryAfterMs?: number) {
    super(`HTTP ${status}`)
    this.status = status
    this.text = text
    this.retryAfterMs = retryAfterMs
  }
}

/** A page the server wanted to send the person to. */
export interface WantedVisit {
  readonly url: string
  readonly message: string
}

/** The call came to nothing, and meanwhile the server wanted to send the person somewhere. */
export class VisitsWanted extends Error {
  override readonly name = 'VisitsWanted'
  readonly visits: readonly WantedVisit[]

  constructor(visits: readonly WantedVisit[], options?: ErrorOptions) {
    super('the server wanted to send the person to a page', options)
    this.visits = visits
  }
}

/** A program that cannot be started or spoken with. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  /** The last it printed for people, in one line. */
  readonly printed: string

  constructor(printed: string, options: ErrorOptions) {
    super('the program of the server could not be started', options)
    this.printed = printed
  }
}

/** The error, then what caused it, and so on: libraries wrap what we threw into their own. */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  let current = error
  while (current !== undefined && current !== null && causes.length < 8 && !causes.includes(current)) {
    causes.push(current)
    current = (current as { cause?: unknown }).cause
  }
  return causes
}

export function findCause<Found extends Error>(
  error: unknown,
  kind: new (...args: never[]) => Found,
): Found | undefined {
  return causesOf(error).find((cause) => cause instanceof kind) as Found | undefined
}
