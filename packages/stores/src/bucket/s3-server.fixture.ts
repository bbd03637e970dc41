import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// It has no types.
// @ts-expect-error
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll } from 'vitest'

/** The credentials that the server knows. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** An S3-compatible server of this test file, with one bucket. It checks signatures. */
export function useS3Server(): { url(prefix: string): string } {
  let folder: string
  let server: { run(): Promise<AddressInfo>; close(): Promise<void> }
  let port: number
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-s3-'))
    server = new (S3rver as new (options: object) => typeof server)({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'artifacts' }],
    })
    port = (await server.run()).port
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { url: (prefix) => `s3://artifacts/${prefix}?endpoint=http://127.0.0.1:${port}&region=eu-west-1` }
}
