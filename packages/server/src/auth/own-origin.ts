import { isIP } from 'node:net'

/** The headers that say where a request comes from and which host it is for. */
interface RequestOrigin {
  readonly host: string | undefined
  /** How the browser reached a trusted proxy. */
  readonly protocol?: 'http' | 'https' | undefined
  readonly origin: string | undefined
  /** `sec-fetch-site`, which no page can set. */
  readonly site: string | undefined
}

/** The addresses of this server. */
export interface OwnOrigins {
  /**
   * The origin under which a browser sees this server, or undefined for a foreign host name. Another site may point its
   * own name at this machine (DNS rebinding); IP addresses cannot be rebound, so they are accepted.
   */
  originOf(host: string | undefined, protocol?: 'http' | 'https'): string | undefined
  /** The address for a link to somebody else. `seen` is the origin under which the request came. */
  toLinkOrigin(seen: string): string
  /** Whether the request comes from a page of this server. Without an origin, only `sec-fetch-site` can show that. */
  isOwnPage(request: RequestOrigin): boolean
}

export function createOwnOrigins(options: {
  /** The host name the server listens on. */
  readonly host: string
  /** Further addresses, such as that of a proxy: `https://capstan.example.org`. */
  readonly allowedOrigins?: readonly string[]
}): OwnOrigins {
  const named = new Map(
    (options.allowedOrigins ?? []).map((text) => {
      const { host, origin } = new URL(text)
      return [host, origin]
    }),
  )
  const known = [...named.values()].filter((origin) => !isLocalOrigin(origin))
  const names = new Set(['localhost', options.host.toLowerCase()])

  function originOf(host: string | undefined, protocol: 'http' | 'https' = 'http'): string | undefined {
    const url = toUrl(host, protocol)
    if (!url) return undefined
    const origin = named.get(url.host)
    if (origin !== undefined) return origin
    const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
    return names.has(name) || isIP(name) !== 0 ? url.origin : undefined
  }

  return {
    originOf,
    toLinkOrigin: (seen) => (known.includes(seen) ? seen : (known[0] ?? seen)),
    isOwnPage({ host, protocol, origin, site }) {
      const own = originOf(host, protocol)
      if (own === undefined) return false
      // Under `no-referrer` some browsers send the origin `null` for our own forms, but always `sec-fetch-site`.
      if (origin === undefined || origin === 'null') return site === 'same-origin'
      return origin === own
    },
  }
}

/** Whether an address of this server can be reached from its own machine only. Pure. */
export function isLocalOrigin(origin: string): boolean {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function toUrl(host: string | undefined, protocol: string): URL | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`${protocol}://${host.toLowerCase()}`) ?? undefined
}
