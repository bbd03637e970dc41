/** The server wants a sign-in: there is no token, or it is no longer good. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
  readonly challenge: Challenge

  constructor(challenge: Challenge = {}) {
    super('the server asks for a sign-in')
    this.challenge = challenge
  }
}

/** What a server said when it refused: the address of its metadata, and the scopes it wants. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
}

/** The sign-in service could not be asked for a new token. A new sign-in would not help. */
export class SignInUnavailable extends Error {
  override readonly name = 'SignInUnavailable'
}

/** The sign-in service knows only programs that its administrator has registered. */
export class NoRegistration extends Error {
  override readonly name = 'NoRegistration'
}

/** The server answered with an HTTP error. */
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

/** The call failed, and the server wanted to send the person to a page meanwhile. */
export class VisitsWanted extends Error {
  override readonly name = 'VisitsWanted'
  readonly visits: readonly WantedVisit[]

  constructor(visits: readonly WantedVisit[], options?: ErrorOptions) {
    super('the server wanted to send the person to a page', options)
    this.visits = visits
  }
}

/** The program of a server could not be started, or the handshake with it failed. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  /** What it printed to stderr, in one line: a little of the start, and the end. */
  readonly printed: string
  /** What the sandbox refused it, in words. */
  readonly refusal: string | undefined
  /** How it ended by itself, in words. */
  readonly ending: string | undefined

  constructor(
    printed: string,
    options: ErrorOptions & { readonly refusal?: string | undefined; readonly ending?: string | undefined },
  ) {
    super('the program of the server could not be started', options)
    this.printed = printed
    this.refusal = options.refusal
    this.ending = options.ending
  }
}

/** The error, its cause, the cause of that, and so on: libraries wrap our errors in their own. */
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
