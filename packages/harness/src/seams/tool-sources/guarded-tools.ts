import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Surface } from '../../turn/tool/surface.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { Offer, ToolSource } from '../seams.ts'

const REASON_CHARS = 200

/**
 * Makes any source keep the promise of `ToolSource`. When the source throws, the offer holds the last surface and says
 * why it may be out of date. A source that never worked offers no tools.
 */
export function guardTools(source: ToolSource): ToolSource {
  let last: Offer | undefined
  let problem: Offer['problem']

  function current(since?: Surface): Offer {
    try {
      last = checkOffer(source.current(since))
      problem = undefined
      return last
    } catch (error) {
      const reason = `The tool source failed: ${sanitizeLine(String(error), REASON_CHARS)}`
      if (problem?.reason !== reason) problem = { reason }
      last ??= { surface: createSurface([]), notices: [] }
      const { surface, baseline } = last
      return { surface, notices: [], problem, ...(baseline === undefined ? undefined : { baseline }) }
    }
  }

  if (!source.recall) return { current }
  return {
    current,
    recall(announced) {
      try {
        return source.recall!(announced)
      } catch {
        return current().surface
      }
    },
  }
}

/** A user's own source may return anything. */
function checkOffer(offer: Offer): Offer {
  if (typeof offer?.surface?.resolve !== 'function' || !Array.isArray(offer.notices))
    throw new TypeError('it returned something that is not an offer')
  return offer
}
