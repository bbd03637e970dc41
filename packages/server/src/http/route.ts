import type { Threads } from '@capstan/harness'
import { z } from 'zod'
import type { Auth, Caller } from '../auth/auth.ts'
import type { Assistant } from '../sessions/assistant.ts'

/** What a handler works with. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  /** The caller's, and nobody else's. */
  readonly threads: Threads
  readonly assistant: Assistant
  /** The origin the caller's browser sees us under. */
  readonly origin: string
  readonly headers: Headers
  /** An answer that was begun cannot be finished: the connection is cut, so that nobody takes a part for the whole. */
  readonly breakOff: (error: unknown) => void
  readonly services: Services
}

/** What routes need besides the assistant. */
export interface Services {
  readonly auth: Auth
  readonly version: string
  readonly port: () => number
  /** The events of a thread that is known to be the caller's, as they come. */
  readonly streamThread: (caller: Caller, threadId: string, after: number) => Promise<Response>
}

type Shape = Readonly<Record<string, z.ZodType>>
type Read<Fields extends Shape> = z.output<z.ZodObject<Fields>>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Bytes of a kind: the handler makes the response itself. */
interface RawAnswer {
  readonly mediaType: string
}
export const raw = (mediaType: string): RawAnswer => ({ mediaType })

/** Nothing to say: 204. */
export const NOTHING = Symbol('nothing')

type Answer = z.ZodType | RawAnswer | typeof NOTHING
type AnswerOf<Kind extends Answer> = Kind extends z.ZodType
  ? z.input<Kind>
  : Kind extends RawAnswer
    ? Response
    : void

interface RouteFields<
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Kind extends Answer,
> {
  readonly method: Method
  /** Hono's form: `/api/threads/:threadId`. */
  readonly path: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** One body that is accepted: for the document, and for the tests that are made from the list. */
  readonly example?: z.input<Body>
  readonly answer: Kind
  readonly status?: 202
  readonly maxBodyBytes?: number
  /** Needs no login. */
  readonly isOpen?: true
  /** Reaches the machine itself, and not only what is the caller's: others are refused. */
  readonly isForOwner?: true
  /** Costs more than a look: has a budget of its own. */
  readonly cost?: 'message'
  handle(call: Call<Read<Params>, Read<Query>, z.output<Body>>): Promise<AnswerOf<Kind>> | AnswerOf<Kind>
}

/** One thing a client can ask for. The app, the document and the isolation tests are made from the list of these. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body?: z.ZodType
  readonly example?: unknown
  readonly answer: Answer
  readonly status?: 202
  readonly maxBodyBytes: number
  readonly isOpen: boolean
  readonly isForOwner?: true
  readonly cost?: 'message'
  handle(call: Call): unknown
}

const MAX_BODY_BYTES = 64 * 1024
const NO_FIELDS = {}

export function defineRoute<
  Kind extends Answer,
  Params extends Shape = typeof NO_FIELDS,
  Query extends Shape = typeof NO_FIELDS,
  Body extends z.ZodType = z.ZodUndefined,
>(fields: RouteFields<Params, Query, Body, Kind>): Route {
  const { params = NO_FIELDS, query = NO_FIELDS, maxBodyBytes = MAX_BODY_BYTES, isOpen = false } = fields
  return {
    ...fields,
    params: z.object(params),
    query: z.strictObject(query),
    maxBodyBytes,
    isOpen,
    handle: (call) => fields.handle(call as Call<Read<Params>, Read<Query>, z.output<Body>>),
  }
}
