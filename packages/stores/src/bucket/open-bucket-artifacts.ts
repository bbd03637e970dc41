import type { RestorableArtifacts, ThreadArtifacts } from '../shared/artifacts/thread-artifacts.ts'
import { createBucketArtifacts } from './bucket-artifacts.ts'
import { openBucket } from './bucket.ts'

export type BucketArtifacts = ThreadArtifacts & RestorableArtifacts

/** Opens the bucket and asks it once, so that a wrong setting is found at the start. Undefined without an address. */
export async function openBucketArtifacts(
  address: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<BucketArtifacts | undefined> {
  if (!address?.trim()) return undefined
  const bucket = openBucket(address.trim(), env)
  await bucket.list('', 1)
  return createBucketArtifacts(bucket)
}
