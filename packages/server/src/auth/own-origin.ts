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
  const names = new Set(['localhost', options.host.toLowerCase()])

  function originOf(host: string | undefined, protocol: 'http' | 'https' = 'http'): string | undefined {
    const url = toUrl(host, protocol)
    if (!url) return undefined
    const known = named.get(url.host)
    if (known !== undefined) return known
    const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
    return names.has(name) || isIP(name) !== 0 ? url.origin : undefined
  }

  return {
    originOf,
    isOwnPage({ host, protocol, origin, site }) {
      const own = originOf(host, protocol)
      if (own === undefined) return false
      // Under `no-referrer` some browsers send the origin `null` for our own forms, but always `sec-fetch-site`.
      if (origin === undefined || origin === 'null') return site === 'same-origin'
      return origin === own
    },
  }
}

function toUrl(host: string | undefined, protocol: string): URL | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`${protocol}://${host.toLowerCase()}`) ?? undefined
}
