const RELOADED_KEY = 'capstan.reloaded-at'

/** A second failure within this time is not caused by an update. */
const GRACE_MS = 10_000

/**
 * A page that was opened before an update may request files that no longer exist. Then the app reloads at the same
 * address. A failure right after that is left to the page boundary.
 */
export function reloadOnUpdate(reload: () => void = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - reloadedAt() < GRACE_MS) return
    event.preventDefault()
    try {
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
    } catch {
      // Without storage it could reload forever.
      return
    }
    reload()
  })
}

function reloadedAt(): number {
  try {
    return Number(sessionStorage.getItem(RELOADED_KEY) ?? 0)
  } catch {
    return Date.now()
  }
}
