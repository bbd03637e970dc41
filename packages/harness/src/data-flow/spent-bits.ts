import { parseWebAddress } from './addresses.ts'
import { linkCells, LinkChoices } from './link-choice.ts'
import type { Origin, Seen } from './provenance.ts'
import { unexplainedBits } from './unexplained.ts'

const MAX_ADDRESSES = 2_000

/** What addresses could have told their hosts, so that data cannot leave in small pieces over many calls. */
export class SpentBits {
  readonly #byHost = new Map<string, number>()
  readonly #counted = new Set<string>()
  readonly #choices = new LinkChoices()

  /** The bits of a host once this address is read. The same address again tells nothing new. */
  with(value: string, origin: Origin, seen: Seen): number {
    const spent = this.#byHost.get(hostKey(value, seen)) ?? 0
    return this.#counted.has(value) ? spent : spent + this.#bits(value, origin, seen)
  }

  add(value: string, origin: Origin, seen: Seen): void {
    if (this.#counted.size >= MAX_ADDRESSES) return
    this.#byHost.set(hostKey(value, seen), this.with(value, origin, seen))
    this.#choices.take(value, linkCells(value, origin))
    this.#counted.add(value)
  }

  #bits(value: string, origin: Origin, seen: Seen): number {
    const links = linkCells(value, origin)
    const ofChoice = links.length > 0 ? this.#choices.bits(value, links) : Infinity
    const address = parseWebAddress(value)
    const isFree = origin.type === 'trusted' || !address
    if (isFree) return 0
    if (!seen.user.hasAddress(address.host) && links.length > 0) return ofChoice
    return Math.min(ofChoice, unexplainedBits(address.rest, seen))
  }
}

/** Hosts that the user did not name may belong to one another, so they count as one. */
function hostKey(value: string, seen: Seen): string {
  const host = parseWebAddress(value)?.host ?? ''
  return seen.user.hasAddress(host) ? host : ''
}
