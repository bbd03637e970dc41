import { readRetryAfter } from '@capstan/harness/connectors'
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { HttpProblem, SignInNeeded } from '../errors.ts'
import type { AccessTokens } from '../sign-in/access-tokens.ts'
import { createMessageMeter, MessageTooLarge, tooLargeAnswer } from './message-meter.ts'

const MAX_ERROR_CHARS = 4_096

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
      const response = bounded(answer, init?.body)
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

/** Bounds a JSON body, and each message of an event stream, so that reading one holds neither the process nor its memory. */
function bounded(response: Response, asked: unknown): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const meter = createMessageMeter({ isStream })
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (meter.take(piece)) return controller.enqueue(piece)
        const id = isStream ? idOf(asked) : undefined
        if (id === undefined) return controller.error(new MessageTooLarge())
        // A stream that breaks would be opened again. What is half sent ends here, and cannot be read.
        const answer = JSON.stringify(tooLargeAnswer(id))
        controller.enqueue(Buffer.from(`\n\nevent: message\ndata: ${answer}\n\n`))
        controller.terminate()
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** The number of our own request. */
function idOf(body: unknown): number | string | undefined {
  if (typeof body !== 'string') return undefined
  return (JSON.parse(body) as { readonly id?: number | string }).id
}
