import { isIP } from 'node:net'

/** What a browser says about where a request comes from and where it believes to be. */
interface Whereabouts {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `sec-fetch-site`, which no page can set. */
  readonly site: string | undefined
}

/** Which addresses are ours. */
export interface OwnOrigins {
  /**
   * The origin a browser sees us under, or undefined when the name is not ours. A page elsewhere may let its own name
   * point at this machine; then the name gives it away. Numbers cannot be pointed anywhere, so they are all right.
   */
  originOf(host: string | undefined): string | undefined
  /** Whether a page of ours asks. A program may come without an origin; a browser that changes something never does. */
  isOwnPage(whereabouts: Whereabouts): boolean
}

export function createOwnOrigins(options: {
  /** The name we were told to listen at. */
  readonly host: string
  /** Further addresses, such as that of a proxy in front of us: `https://capstan.example.org`. */
  readonly allowedOrigins?: readonly string[]
}): OwnOrigins {
  const named = new Map(
    (options.allowedOrigins ?? []).map((text) => {
      const { host, origin } = new URL(text)
      return [host, origin]
    }),
  )
  const names = new Set(['localhost', options.host.toLowerCase()])

  function originOf(host: string | undefined): string | undefined {
    const url = toUrl(host)
    if (!url) return undefined
    const known = named.get(url.host)
    if (known !== undefined) return known
    const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
    return names.has(name) || isIP(name) !== 0 ? url.origin : undefined
  }

  return {
    originOf,
    isOwnPage({ host, origin, site }) {
      const own = originOf(host)
      if (own === undefined) return false
      // Under `no-referrer` some browsers blank the origin of our own forms, but never this.
      if (origin === undefined || origin === 'null') return site === 'same-origin'
      return origin === own
    },
  }
}

function toUrl(host: string | undefined): URL | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`http://${host.toLowerCase()}`) ?? undefined
}
