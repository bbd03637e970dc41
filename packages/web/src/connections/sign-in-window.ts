/** A window for a sign-in page. Opened at the click, because a browser keeps one that comes later closed. */
export interface SignInWindow {
  readonly isBlocked: boolean
  /** Sends it to the service. False when it cannot go there: it is blocked, was closed, or the address is none. */
  go(url: string): boolean
  close(): void
}

type OpenWindow = (url: string, target: string) => Window | null

/** Call it synchronously in the handler of a click. `words` stand in it until the address is known. Never throws. */
export function openSignInWindow(
  words: string,
  open: OpenWindow = (url, target) => window.open(url, target),
): SignInWindow {
  const opened = openQuietly(open)
  if (opened) {
    opened.document.title = words
    opened.document.body.textContent = words
  }
  return {
    isBlocked: !opened,
    go(url) {
      if (!opened || opened.closed || !isVisitable(url)) return false
      // The service must not be able to steer this page.
      opened.opener = null
      opened.location.replace(url)
      return true
    },
    close: () => opened?.close(),
  }
}

function openQuietly(open: OpenWindow): Window | undefined {
  try {
    return open('', '_blank') ?? undefined
  } catch {
    return undefined
  }
}

/** Only a web page may be opened: an address comes from a service, and one of ours would run as us. */
export function isVisitable(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
}
