const RELOADED_KEY = 'capstan.reloaded-at'

/** Once is enough: a second failure so soon is not an update. */
const GRACE_MS = 10_000

/**
 * A page that was opened before an update asks for parts that are no longer there. Then the app is loaded anew, where
 * it stands. What fails again right after that is left to the page's boundary.
 */
export function reloadOnUpdate(reload: () => void = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - reloadedAt() < GRACE_MS) return
    event.preventDefault()
    try {
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
    } catch {
      // Without a memory it could go round in circles.
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
