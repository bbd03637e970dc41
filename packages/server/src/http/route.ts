import type { Threads } from '@capstan/harness'
import { z } from 'zod'
import type { Auth, Caller } from '../auth/auth.ts'
import type { Assistant } from '../sessions/assistant.ts'
import type { ThreadActions } from '../sessions/thread-actions.ts'
import type { Rights } from './rights.ts'

/** The input of a handler. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  /** The threads of the caller. */
  readonly threads: Threads
  /** What the caller does in a thread of theirs. */
  readonly actions: ThreadActions
  readonly assistant: Assistant
  /** The origin under which the caller's browser sees this server. */
  readonly origin: string
  readonly headers: Headers
  /** Cuts the connection of an unfinished answer, so that the client does not take it for complete. */
  readonly breakOff: (error: unknown) => void
  readonly services: Services
}

/** Services of the server that routes use beside the assistant. */
export interface Services {
  readonly auth: Auth
  readonly version: string
  readonly loginCommand?: string
  readonly port: () => number
  /** The address for a link to somebody else; see `OwnOrigins`. */
  readonly toLinkOrigin: (seen: string) => string
  /** The events of a thread as a stream. The thread must be the caller's. */
  readonly streamThread: (caller: Caller, threadId: string, after: number) => Promise<Response>
}

type Shape = Readonly<Record<string, z.ZodType>>
type Read<Fields extends Shape> = z.output<z.ZodObject<Fields>>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** For a handler that makes the response itself. */
interface RawAnswer {
  readonly mediaType: string
}
export const raw = (mediaType: string): RawAnswer => ({ mediaType })

/** For an answer without a body: 204. */
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
  /** In Hono's syntax: `/api/threads/:threadId`. */
  readonly path: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** A valid body, for the OpenAPI document and for tests over all routes. */
  readonly example?: z.input<Body>
  readonly answer: Kind
  readonly status?: 202
  readonly maxBodyBytes?: number
  readonly rights: Rights
  /** `message`: begins a turn, and counts against the message rate. `thread`: stores a further thread. */
  readonly cost?: 'message' | 'thread'
  handle(call: Call<Read<Params>, Read<Query>, z.output<Body>>): Promise<AnswerOf<Kind>> | AnswerOf<Kind>
}

/** One route of the API. The app, the OpenAPI document and the isolation tests are made from the list of routes. */
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
  readonly rights: Rights
  readonly cost?: 'message' | 'thread'
  handle(call: Call): unknown
}

const MAX_BODY_BYTES = 64 * 1024
const NO_FIELDS = {}

/** Defines a route; the types of the handler's input follow from its schemas. */
export function defineRoute<
  Kind extends Answer,
  Params extends Shape = typeof NO_FIELDS,
  Query extends Shape = typeof NO_FIELDS,
  Body extends z.ZodType = z.ZodUndefined,
>(fields: RouteFields<Params, Query, Body, Kind>): Route {
  const { params = NO_FIELDS, query = NO_FIELDS, maxBodyBytes = MAX_BODY_BYTES } = fields
  return {
    ...fields,
    params: z.object(params),
    query: z.strictObject(query),
    maxBodyBytes,
    handle: (call) => fields.handle(call as Call<Read<Params>, Read<Query>, z.output<Body>>),
  }
}
