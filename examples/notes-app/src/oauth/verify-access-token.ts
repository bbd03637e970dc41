import { createPublicKey, verify } from 'node:crypto'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Keys } from './keys.ts'

export interface AccessTokenCheck {
  readonly key: Keys['signing']
  readonly issuer: string
  /** The one resource a token must have been issued for. */
  readonly audience: string
  readonly isGranted: (grantId: string) => boolean
}

const Header = z.object({ alg: z.literal('ES256'), typ: z.literal('at+jwt'), kid: z.string() })
const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  client_id: z.string(),
  scope: z.string().optional(),
  grant: z.string(),
})

/**
 * Checks that a token was signed here, for this resource, and that nobody took the authorisation back since. Its expiry
 * is reported, and checked by whoever asked. Throws `invalid_token`, always with the same words: a stranger learns nothing.
 */
export function createAccessTokenVerifier(check: AccessTokenCheck): (token: string) => Promise<AuthInfo> {
  const { kty, crv, x, y } = check.key
  const publicKey = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })

  function readClaims(token: string): z.infer<typeof Claims> | undefined {
    const [header, payload, signature, ...rest] = token.split('.')
    if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
      return undefined
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    if (!isSigned || !Header.safeParse(decode(header)).success) return undefined
    const claims = Claims.safeParse(decode(payload))
    return claims.success ? claims.data : undefined
  }

  return async (token) => {
    const claims = readClaims(token)
    const isGood =
      claims?.iss === check.issuer && claims.aud === check.audience && check.isGranted(claims.grant)
    if (!claims || !isGood) {
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The access token is not valid here')
    }
    return {
      token,
      clientId: claims.client_id,
      scopes: claims.scope?.split(' ') ?? [],
      expiresAt: claims.exp,
      resource: new URL(claims.aud),
      extra: { accountId: claims.sub, grantId: claims.grant },
    }
  }
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
