/** A browser as far as a sign-in needs one: it keeps cookies per path, follows redirects and sends forms. */
export interface Browser {
  /** Follows redirects inside `origin` and stops at the first that leads out of it, or at a page. */
  open(url: string | URL): Promise<Visit>
  /** Sends the form on the page it is looking at: the only one, or the one with this action. */
  submit(fields: Readonly<Record<string, string>>, action?: string): Promise<Visit>
}

type Visit =
  | { readonly type: 'page'; readonly status: number; readonly html: string; readonly headers: Headers }
  | { readonly type: 'left'; readonly to: URL }

interface Cookie {
  readonly value: string
  readonly path: string
}

export function createBrowser(origin: string): Browser {
  const cookies = new Map<string, Cookie>()
  let actions: readonly string[] = []

  async function visit(begin: URL, form?: URLSearchParams): Promise<Visit> {
    let url = begin
    let body = form
    for (let hop = 0; hop < 10; hop++) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: cookiesFor(url), ...(body ? { origin } : {}) },
        ...(body ? { method: 'POST', body } : {}),
      })
      keepCookies(response, url)
      const location = response.headers.get('location')
      if (location === null) {
        const html = await response.text()
        actions = [...html.matchAll(/<form[^>]*action="([^"]+)"/gu)].map(([, action]) => action ?? '')
        return { type: 'page', status: response.status, html, headers: response.headers }
      }
      await response.body?.cancel()
      url = new URL(location, url)
      body = undefined
      if (url.origin !== origin) return { type: 'left', to: url }
    }
    throw new Error('too many redirects')
  }

  function cookiesFor(url: URL): string {
    return [...cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([key, { value }]) => `${key.slice(0, key.indexOf(' '))}=${value}`)
      .join('; ')
  }

  function keepCookies(response: Response, url: URL): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/u)
      const name = pair.slice(0, pair.indexOf('='))
      const path = attributes.find((attribute) => /^path=/iu.test(attribute))?.slice(5) ?? url.pathname
      const isGone = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/iu.test(attribute))
      if (isGone) cookies.delete(`${name} ${path}`)
      else cookies.set(`${name} ${path}`, { value: pair.slice(name.length + 1), path })
    }
  }

  return {
    open: (url) => visit(new URL(url)),
    submit(fields, action = actions[0]) {
      if (action === undefined || !actions.includes(action))
        throw new Error('there is no such form on this page')
      return visit(new URL(action, origin), new URLSearchParams(fields))
    },
  }
}
