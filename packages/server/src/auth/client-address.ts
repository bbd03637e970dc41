import { BlockList, isIP } from 'node:net'
import { ConfigurationError } from '@capstan/harness'

/** Longer headers are ignored: no honest chain of proxies writes one. */
const MAX_CHARS = 2_000
const MAX_HOPS = 32

/** What a request shows of itself. */
interface ShownRequest {
  /** The address of the other end of the connection. */
  readonly peer: string | undefined
  readonly header: (name: string) => string | undefined
}

/** Where a request comes from, and which host it is for. */
interface SeenRequest {
  /** The client's address; blank when it is not known. */
  readonly address: string
  readonly host: string | undefined
  /** Known only behind a trusted proxy. */
  readonly protocol?: 'http' | 'https'
}

/**
 * Reads where requests come from. The headers `x-forwarded-for`, `-host` and `-proto` count only when the other end of
 * the connection is a trusted proxy; anybody else may write what they like there.
 */
export type SeeRequest = (request: ShownRequest) => SeenRequest

/** `trusted` has addresses and ranges: `10.0.0.1`, `10.0.0.0/8`, `::1`. Throws a `ConfigurationError` for another text. */
export function createSeeRequest(trusted: readonly string[] = []): SeeRequest {
  const list = new BlockList()
  for (const text of trusted) addTo(list, text)
  const isTrusted = (address: string): boolean => list.check(address, familyOf(address))

  return ({ peer, header }) => {
    const address = toAddress(peer ?? '') ?? ''
    const host = header('host')
    if (address === '' || !isTrusted(address)) return { address, host }
    const protocol = header('x-forwarded-proto')?.trim().toLowerCase()
    return {
      address: readClient(address, header('x-forwarded-for'), isTrusted),
      host: readHost(header('x-forwarded-host')) ?? host,
      ...(protocol === 'https' || protocol === 'http' ? { protocol } : undefined),
    }
  }
}

/**
 * From the right: each proxy adds the address it was called from. The first one that is no trusted proxy is the client;
 * what stands left of it was written by the client.
 */
function readClient(
  peer: string,
  header: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  let nearest = peer
  if (header === undefined || header.length > MAX_CHARS) return nearest
  for (const text of header.split(',').toReversed().slice(0, MAX_HOPS)) {
    const address = toAddress(text.trim())
    if (address === undefined) return nearest
    nearest = address
    if (!isTrusted(address)) return nearest
  }
  return nearest
}

/** A list of hosts is ambiguous, so it is ignored. */
function readHost(header: string | undefined): string | undefined {
  const host = header?.trim()
  return host !== undefined && /^[\w.:[\]-]{1,255}$/.test(host) ? host : undefined
}

/** Without a port, brackets and the form `::ffff:` of an IPv4 address. Undefined for any other text. */
function toAddress(text: string): string | undefined {
  if (text.length > 64) return undefined
  const bare = text
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
    .toLowerCase()
  return isIP(bare) === 0 ? undefined : bare
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function addTo(list: BlockList, text: string): void {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  if (version === 0 || (bits !== undefined && Number(bits) > most))
    throw new ConfigurationError(
      'trustedProxies',
      `"${text.slice(0, 100)}" must be an address or a range, such as 10.0.0.1 or 10.0.0.0/8`,
    )
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}
