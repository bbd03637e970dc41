import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Answers with the addresses that were checked, whatever the name says by now: a second answer could differ. */
export function createPinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, options, done) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0)
    const fitting = family === 0 ? [...addresses] : addresses.filter((address) => address.family === family)
    const [first] = fitting
    if (!first) {
      done(
        Object.assign(new Error('none of the checked addresses is of the family asked for'), {
          code: 'ENOTFOUND',
        }),
        '',
      )
    } else if (options.all) done(null, fitting)
    else done(null, first.address, first.family)
  }
}
