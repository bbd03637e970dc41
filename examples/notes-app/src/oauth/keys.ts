import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'

const Keys = z.object({
  /** Signs tokens. Private: it never leaves the app. */
  signing: z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    d: z.string(),
    kid: z.string(),
    alg: z.literal('ES256'),
    use: z.literal('sig'),
  }),
  /** Signs cookies. */
  cookies: z.string().min(32),
})
export type Keys = z.infer<typeof Keys>

/** The app's keys: from the folder, or new ones, which are then kept there. */
export async function openKeys(folder: string | undefined): Promise<Keys> {
  const path = folder === undefined ? undefined : join(folder, 'keys.json')
  const stored = path === undefined ? undefined : await readJson(path)
  if (stored !== undefined) return Keys.parse(stored)
  const keys = createKeys()
  if (path !== undefined) await writeJson(path, keys)
  return keys
}

export function createKeys(): Keys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Keys.parse({
    signing: {
      ...privateKey.export({ format: 'jwk' }),
      kid: randomBytes(8).toString('hex'),
      alg: 'ES256',
      use: 'sig',
    },
    cookies: randomBytes(32).toString('base64url'),
  })
}
