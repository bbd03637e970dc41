import { createPrivateKey, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Keys } from './keys.ts'
import { createKeys } from './keys.ts'
import { createAccessTokenVerifier } from './verify-access-token.ts'

const KEY = createKeys().signing
const CLAIMS = {
  iss: 'http://127.0.0.1:1',
  aud: 'http://127.0.0.1:1/mcp',
  sub: 'ada',
  exp: 2_000_000_000,
  client_id: 'client',
  scope: 'pages:read',
  grant: 'granted',
}
const verifyAccessToken = createAccessTokenVerifier({
  key: KEY,
  issuer: CLAIMS.iss,
  audience: CLAIMS.aud,
  isGranted: (grantId) => grantId === 'granted',
})

function createToken(claims: object, header: object = {}, key: Keys['signing'] = KEY): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })}.${encode(claims)}`
  const privateKey = createPrivateKey({ key: { ...key }, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

describe('an access token', () => {
  it('that is valid gives its user, scopes and expiry', async () => {
    expect(await verifyAccessToken(createToken(CLAIMS))).toMatchObject({
      clientId: 'client',
      scopes: ['pages:read'],
      expiresAt: 2_000_000_000,
      extra: { accountId: 'ada', grantId: 'granted' },
    })
  })

  it.each([
    ['for another resource', createToken({ ...CLAIMS, aud: 'http://127.0.0.1:1/other' })],
    ['for several resources', createToken({ ...CLAIMS, aud: [CLAIMS.aud, 'http://127.0.0.1:2'] })],
    ['of another issuer', createToken({ ...CLAIMS, iss: 'http://127.0.0.1:2' })],
    ['of an authorisation that was taken back', createToken({ ...CLAIMS, grant: 'gone' })],
    ['without an expiry', createToken({ ...CLAIMS, exp: undefined })],
    ['of another kind', createToken(CLAIMS, { typ: 'JWT' })],
    ['that claims another algorithm', createToken(CLAIMS, { alg: 'none' })],
    ['signed by a stranger', createToken(CLAIMS, {}, createKeys().signing)],
    ['without a signature', `${createToken(CLAIMS).split('.').slice(0, 2).join('.')}.`],
    ['that is none', 'a.b.c'],
    ['that is empty', ''],
  ])('%s is refused', async (_what, token) => {
    await expect(verifyAccessToken(token)).rejects.toMatchObject({ code: 'invalid_token' })
  })
})
