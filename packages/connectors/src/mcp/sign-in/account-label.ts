import { sanitizeLine } from '@capstan/harness/connectors'

const MAX_LABEL_CHARS = 80
/** The best first. */
const NAMES = ['email', 'preferred_username', 'name', 'nickname']

/**
 * The label of the account that was signed in with, from the identity token. It is only shown to people, and the token
 * came directly from the service, so its signature is not checked. Never throws.
 */
export function accountLabel(
  idToken: string | undefined,
  { issuer, clientId }: { readonly issuer: string | undefined; readonly clientId: string },
): string | undefined {
  const claims = readClaims(idToken)
  if (!claims || claims['iss'] !== issuer || ![claims['aud']].flat().includes(clientId)) return undefined
  return NAMES.map((name) => sanitizeLine(claims[name], MAX_LABEL_CHARS)).find((label) => label !== '')
}

function readClaims(token: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const payload = token?.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
