import type { WebAddress } from './addresses.ts'
import type { Seen } from './provenance.ts'
import { unexplainedBits } from './unexplained.ts'

const MAX_ADDRESSES = 2_000

/** What addresses could have told each host, so that data cannot leave in small pieces over many calls. */
export class SpentBits {
  readonly #byHost = new Map<string, number>()
  readonly #counted = new Set<string>()

  /** The bits of a host once this address is read. The same address again tells nothing new. */
  with(address: WebAddress, seen: Seen): number {
    const spent = this.#byHost.get(address.host) ?? 0
    return this.#counted.has(keyOf(address)) ? spent : spent + unexplainedBits(address.rest, seen)
  }

  add(address: WebAddress, seen: Seen): void {
    if (this.#counted.size >= MAX_ADDRESSES) return
    this.#byHost.set(address.host, this.with(address, seen))
    this.#counted.add(keyOf(address))
  }
}

const keyOf = ({ host, rest }: WebAddress): string => `${host} ${rest}`
