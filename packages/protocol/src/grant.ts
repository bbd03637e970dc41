import type { AppName } from './connection.ts'
import type { ThreadId } from './ids.ts'

/** How long a grant lasts: for one conversation, for an hour, or until it is revoked. */
export type GrantLifetime = 'thread' | 'hour' | 'always'

/**
 * What a grant is bound to besides its user and its tool. A call that differs in any of it is asked about again. Of the
 * app only the toolkit counts; its name is for people.
 */
export interface GrantBinding {
  /** The app the tool acts in; absent for a local tool. */
  readonly app?: AppName
  /** The account the tool acts with; absent for a local tool. */
  readonly connectionId?: string
  readonly definitionDigest: string
  readonly effect: 'read' | 'write' | 'admin'
}

/**
 * Where a granted call may send something: patterns by the name of an argument. Every value of that argument must match
 * one of its patterns. A pattern is an exact value, `*@domain` for mail addresses, or `*.host` for a host and the hosts
 * below it.
 */
export type GrantConstraints = Readonly<Record<string, readonly string[]>>

/** A person's yes to further calls of one tool, without being asked. It never covers the effect `admin`. */
export interface Grant {
  readonly id: string
  readonly tool: string
  readonly binding: GrantBinding
  readonly lifetime: GrantLifetime
  readonly constraints?: GrantConstraints
  /** The conversation in which it was given. */
  readonly threadId: ThreadId
  readonly createdAt: number
  /** Absent: it does not expire. */
  readonly expiresAt?: number
}

/** A part of the arguments that is hidden as a secret. */
export interface HiddenValue {
  /** Where it is in the arguments: `headers.authorization`. Blank: the arguments as a whole. */
  readonly path: string
  /** How many characters are hidden. */
  readonly chars: number
  /** `stored`: a credential that is stored here. `recognised`: it looks like a secret. */
  readonly source: 'stored' | 'recognised'
}
