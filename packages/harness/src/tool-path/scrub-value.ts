import type { KnownSecrets } from './scrub/known-secrets.ts'
import { scrubSecrets } from './scrub/scrub-secrets.ts'

/** Arguments for display: every text is scrubbed, the structure is kept. */
export function scrubValue(value: unknown, secrets?: KnownSecrets): unknown {
  const text = JSON.stringify(value)
  if (text === undefined) return value
  const scrubbed = scrubSecrets(text, secrets)
  if (scrubbed === text) return value
  try {
    return JSON.parse(scrubbed)
  } catch {
    return '[withheld: it contains a secret]'
  }
}
