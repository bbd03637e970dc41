import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { UrlRules } from './check-url.ts'
import { isAllowedHost } from './check-url.ts'
import { isPublicAddress } from './is-public-address.ts'

/** All addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/** Resolves a name with the resolver of the system. */
export const resolveBySystem: ResolveName = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)

/**
 * The addresses a URL leads to, asked for once. Refused as soon as one of them is not public: a name with a public
 * and a private face is a trap.
 */
export async function resolveHost(
  url: URL,
  rules: UrlRules,
  resolve: ResolveName,
): Promise<{ readonly addresses: readonly LookupAddress[] } | { readonly refusal: ToolOutcome }> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) === 0 ? await resolve(host) : [host]
  if (found.length === 0) return { refusal: fail(`${host} has no address.`, { errorCode: 'ENOTFOUND' }) }
  const inner = isAllowedHost(url, rules) ? undefined : found.find((address) => !isPublicAddress(address))
  if (inner !== undefined) {
    return {
      refusal: fail(
        `${url.host} leads to ${inner === host ? 'an address' : `the address ${inner}`}, which is not on the public ` +
          'internet. Nothing was fetched: pages inside this machine or its network are out of bounds.',
        { deniedBy: 'policy' },
      ),
    }
  }
  return { addresses: found.map((address) => ({ address, family: isIP(address) })) }
}
