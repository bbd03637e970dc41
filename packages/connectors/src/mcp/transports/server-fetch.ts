import { readRetryAfter } from '@capstan/harness/connectors'
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { HttpProblem, SignInNeeded } from '../errors.ts'
import type { AccessTokens } from '../sign-in/access-tokens.ts'

const MAX_ERROR_CHARS = 4_096
const MAX_JSON_BYTES = 32 * 1024 * 1024

/** How one session sends requests to its HTTP server: the token it adds, and how it reads a refusal. */
export interface ServerFetch {
  readonly fetch: FetchLike
  readonly authProvider: AuthProvider
}

export interface ServerFetchOptions {
  /** Absent: no token is sent, to find out whether the server wants one. */
  readonly auth?: SessionAuth | undefined
  readonly now: () => number
}

/** Whose token a session sends. */
export interface SessionAuth {
  readonly tokens: AccessTokens
  readonly connectionId: string
}

export function createServerFetch({ auth, now }: ServerFetchOptions): ServerFetch {
  const usedFor = new WeakMap<Response, string>()
  return {
    async fetch(url, init) {
      const answer = await fetch(url, init)
      // The library drops the header and the body.
      if (answer.status === 429 || answer.status >= 500) {
        const retryAfterMs = readRetryAfter((name) => answer.headers.get(name), now())
        throw new HttpProblem(answer.status, await startOf(answer), retryAfterMs)
      }
      const response = bounded(answer)
      const used = /^bearer (.+)$/i.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1]
      if (used !== undefined) usedFor.set(response, used)
      return response
    },
    authProvider: {
      token: async () => auth?.tokens.current(auth.connectionId),
      async onUnauthorized({ response }) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        const challenge = {
          ...(resourceMetadataUrl ? { resourceMetadataUrl } : undefined),
          ...(scope === undefined ? undefined : { scope }),
        }
        const used = usedFor.get(response)
        // Without a sign-in there is nothing to renew.
        if (!auth || used === undefined) throw new SignInNeeded(challenge)
        await auth.tokens.renew(auth.connectionId, used)
      },
    },
  }
}

async function startOf(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      if (text.length >= MAX_ERROR_CHARS) break
    }
  } catch {
    // The part that was read is enough.
  }
  return text.slice(0, MAX_ERROR_CHARS)
}

/** Bounds a JSON body, and each line of an event stream, so that one message cannot fill the memory. */
function bounded(response: Response): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  let size = 0
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const lineEnd = isStream ? piece.lastIndexOf(10) : -1
        size = lineEnd === -1 ? size + piece.length : piece.length - lineEnd - 1
        if (size > MAX_JSON_BYTES) controller.error(new TypeError('the answer is too large'))
        else controller.enqueue(piece)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
