import { sanitizeLine } from '../../text/untrusted-text.ts'
import type { Surface } from '../../turn/surface.ts'
import { createSurface } from '../../turn/surface.ts'
import type { Offer, ToolSource } from '../seams.ts'

const REASON_CHARS = 200

/**
 * Keeps the promise of a `ToolSource` for one that breaks it: a source that throws keeps its last surface, and the offer
 * says why it may be out of date. One that never worked offers no tools.
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

/** A source of somebody else's may answer anything. */
function checkOffer(offer: Offer): Offer {
  if (typeof offer?.surface?.resolve !== 'function' || !Array.isArray(offer.notices))
    throw new TypeError('it answered with something that is not an offer')
  return offer
}
