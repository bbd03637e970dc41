import type { KnownSecrets } from './known-secrets.ts'
import { hideKnown } from './known-secrets.ts'
import type { ScrubStream } from './scrub-stream.ts'

/**
 * Hides known secrets in a text that arrives in pieces, and nothing else. Only what may be the beginning of a secret is
 * held back, so the text appears almost as it arrives.
 */
export function createKnownStream(known: KnownSecrets): ScrubStream {
  let held = ''
  return {
    push(chunk) {
      // First what is complete: the end of one secret may look like the beginning of another.
      const text = hideKnown(held + chunk, known)
      const cut = known.holdFrom(text)
      held = text.slice(cut)
      return text.slice(0, cut)
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}
