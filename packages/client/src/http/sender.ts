import { ApiError, isObject, toApiError } from './api-error.ts'

/** Where the server is and how requests reach it. */
export interface SenderOptions {
  /** The server's address. Default: where the page came from. */
  readonly base?: string
  /** Sent with every request, such as an `authorization` of a program. Browsers send their cookie by themselves. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** Called for every answer that says `signed_out`. */
  readonly onSignedOut?: () => void
  /**
   * Called when the owner must log in again before a request is accepted. True: they have, and the request is sent once
   * more. Without it, the request is refused.
   */
  readonly onLoginAgain?: () => Promise<boolean>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  /** Default: JSON. */
  readonly accept?: string
  readonly signal?: AbortSignal | undefined
}

/** Sends requests. Rejects with an `ApiError` unless the server accepted and its whole answer came. */
export interface Sender {
  readonly base: string
  readonly send: (method: Method, path: string, request?: RequestOptions) => Promise<Response>
  readonly json: <Answer>(method: Method, path: string, request?: RequestOptions) => Promise<Answer>
  readonly nothing: (method: Method, path: string, request?: RequestOptions) => Promise<void>
}

export function createSender(options: SenderOptions): Sender {
  const base = (options.base ?? '').replace(/\/$/, '')
  const doFetch = options.fetch ?? ((input, init) => fetch(input, init))

  async function send(method: Method, path: string, request?: RequestOptions): Promise<Response> {
    try {
      return await sendOnce(method, path, request)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'login_again') throw error
      if (!(await options.onLoginAgain?.())) throw error
      return sendOnce(method, path, request)
    }
  }

  async function sendOnce(method: Method, path: string, request: RequestOptions = {}): Promise<Response> {
    const { query, body, accept = 'application/json', signal } = request
    const init: RequestInit = {
      method,
      credentials: 'same-origin',
      // Credentials that were given to us are not shown to another address.
      ...(options.headers ? { redirect: 'error' } : {}),
      // A removal is carried out even when the page is left.
      ...(method === 'DELETE' ? { keepalive: true } : {}),
      headers: {
        ...options.headers,
        accept,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }
    const url = base + path + toQuery(query)
    const response = await reach(() => doFetch(url, init), method === 'GET' ? 2 : 1, signal)
    if (response.ok) return response
    const error = await toApiError(response)
    if (error.code === 'signed_out') options.onSignedOut?.()
    throw error
  }

  return {
    base,
    send,
    json: async <Answer>(method: Method, path: string, request?: RequestOptions) => {
      const response = await send(method, path, request)
      return parseAnswer(await readBody(() => response.text(), request?.signal)) as Answer
    },
    nothing: async (method, path, request) => {
      const response = await send(method, path, request)
      // A proxy or a login page of a network answers every request with a page: the server has not seen this one.
      if (isMediaType(response, 'text/html'))
        throw toWrongAnswer(response, 'The server answered with a page.')
    },
  }
}

/** Tries until an answer comes, whatever it says. An abort is not tried again. */
async function reach(
  attempt: () => Promise<Response>,
  maxAttempts: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      if (count >= maxAttempts) {
        throw new ApiError({ code: 'unreachable', message: 'The server cannot be reached.' }, error)
      }
    }
  }
}

/** Reads a body, or a part of it. Rejects with an `ApiError` when it breaks off, or with the reason of an abort. */
export async function readBody<Body>(
  read: () => Promise<Body>,
  signal: AbortSignal | undefined,
): Promise<Body> {
  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    throw new ApiError({ code: 'unreachable', message: 'The answer of the server broke off.' }, error)
  }
}

/** Every JSON answer of the API is an object. */
function parseAnswer(text: string): object {
  let cause: unknown
  try {
    const answer: unknown = JSON.parse(text)
    if (isObject(answer)) return answer
  } catch (error) {
    cause = error
  }
  throw new ApiError(
    { code: 'unavailable', message: 'The server did not answer with JSON of this API.' },
    cause,
  )
}

export function isMediaType(response: Response, mediaType: string): boolean {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === mediaType
}

/** The error of an answer that is of another kind. Its body is not read. */
export function toWrongAnswer(response: Response, message: string): ApiError {
  void response.body?.cancel().catch(() => undefined)
  return new ApiError({ code: 'unavailable', message })
}

/** A path whose parts cannot change its shape. */
export function route(fixed: TemplateStringsArray, ...parts: readonly string[]): string {
  return fixed.reduce((done, piece, at) => done + encodeURIComponent(parts[at - 1] ?? '') + piece)
}

/** The query of an address, with its question mark; empty without values. */
export function toQuery(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
