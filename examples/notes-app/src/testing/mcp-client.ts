import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { createBrowser } from './browser.ts'
import { REDIRECT_URI } from './sign-in.ts'

export type Era = 'legacy' | 'auto'

/** A client that holds a token and does nothing about it. */
export async function connectWithToken(mcpUrl: string, token: string, era: Era = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } })
  const authProvider = { token: () => Promise.resolve(token) }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider }))
  return client
}

/** What a real client keeps of its sign-in. */
interface KeptSignIn extends OAuthClientProvider {
  kept: StoredOAuthTokens | undefined
  goesTo: URL | undefined
}

function createKeptSignIn(): KeptSignIn {
  let client: StoredOAuthClientInformation | undefined
  let verifier = ''
  let discovery: OAuthDiscoveryState | undefined
  return {
    kept: undefined,
    goesTo: undefined,
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: 'Capstan', redirect_uris: [REDIRECT_URI] },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information
    },
    tokens() {
      return this.kept
    },
    saveTokens(tokens) {
      this.kept = tokens
    },
    redirectToAuthorization(url) {
      this.goesTo = url
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => {
      discovery = saved
    },
    discoveryState: () => discovery,
  }
}

/** The whole way from nothing: refused, sent to the page, allowed, back with tokens, connected. */
export async function connectBySigningIn(
  url: string,
  account: string,
): Promise<{ readonly client: Client; readonly signIn: KeptSignIn }> {
  const signIn = createKeptSignIn()
  const mcpUrl = new URL('/mcp', url)
  const first = new StreamableHTTPClientTransport(mcpUrl, { authProvider: signIn })
  const refusal: unknown = await new Client({ name: 'test', version: '1.0.0' })
    .connect(first)
    .catch((error: unknown) => error)
  if (!(refusal instanceof UnauthorizedError) || !signIn.goesTo) throw new Error('was not asked to sign in')
  const browser = createBrowser(url)
  await browser.open(signIn.goesTo)
  const visit = await browser.submit({ account, decision: 'allow' })
  if (visit.type !== 'left') throw new Error('was not sent back')
  await first.finishAuth(visit.to.searchParams)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(mcpUrl, { authProvider: signIn }))
  return { client, signIn }
}
