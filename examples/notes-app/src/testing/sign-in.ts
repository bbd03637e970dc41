import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Browser } from './browser.ts'
import { createBrowser } from './browser.ts'

export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  scope: z.string(),
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof Tokens>

/** An app that signs in by hand, a request at a time, so that a test can do each step wrong. */
export interface SignIn {
  readonly clientId: string
  readonly browser: Browser
  /** Opens the consent page. */
  begin(params?: Readonly<Record<string, string>>): ReturnType<Browser['open']>
  exchange(code: string): Promise<Response>
  refresh(refreshToken: string): Promise<Response>
  revoke(token: string): Promise<Response>
}

export async function register(
  url: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  return fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Capstan', redirect_uris: [REDIRECT_URI], ...metadata }),
  })
}

export async function startSignIn(
  url: string,
  metadata: Readonly<Record<string, unknown>> = {},
  browser = createBrowser(url),
): Promise<SignIn> {
  const { client_id: clientId } = z
    .object({ client_id: z.string() })
    .parse(await (await register(url, metadata)).json())
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...fields }) })
  return {
    clientId,
    browser,
    begin(params = {}) {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: REDIRECT_URI,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'a-state',
        resource: `${url}/mcp`,
        scope: 'pages:read pages:write',
        ...params,
      })
      return browser.open(`${url}/oauth/authorize?${query.toString()}`)
    },
    exchange: (code) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
        resource: `${url}/mcp`,
      }),
    refresh: (refreshToken) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: (token) => post('/oauth/revoke', { token }),
  }
}

/** Signs in and allows everything that is asked for. */
export async function signIn(
  url: string,
  account: string,
  params: Readonly<Record<string, string>> = {},
): Promise<{ readonly signIn: SignIn; readonly tokens: Tokens }> {
  const begun = await startSignIn(url)
  await begun.begin(params)
  const visit = await begun.browser.submit({ account, decision: 'allow' })
  if (visit.type !== 'left') throw new Error(`the sign-in stopped at a page with status ${visit.status}`)
  const response = await begun.exchange(visit.to.searchParams.get('code') ?? '')
  return { signIn: begun, tokens: readTokens(await response.json()) }
}

export function readTokens(body: unknown): Tokens {
  return Tokens.parse(body)
}
