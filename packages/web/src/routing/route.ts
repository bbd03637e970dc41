/** The tabs of the page of automations; the first one is shown at `/automations`. */
export const AUTOMATION_TABS = ['activity', 'triggers', 'schedules', 'jobs'] as const
export type AutomationTab = (typeof AUTOMATION_TABS)[number]

/** The tabs of the page of memory; the first one is shown at `/memory`. */
const MEMORY_TABS = ['items', 'facts'] as const
export type MemoryTab = (typeof MEMORY_TABS)[number]

/** The pages of the app and their parameters. */
export type Route =
  | { readonly page: 'chat'; readonly threadId?: string; readonly runId?: string; readonly callId?: string }
  | { readonly page: 'connections' }
  | { readonly page: 'memory'; readonly tab: MemoryTab }
  | { readonly page: 'automations'; readonly tab: AutomationTab }
  | { readonly page: 'runs'; readonly runId?: string }
  | { readonly page: 'settings' }
  | { readonly page: 'diagnostics' }
  | { readonly page: 'not-found' }

/** The route of a path. Never throws: an unknown path is `not-found`. */
export function parsePath(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '')
  let decoded: string[]
  try {
    decoded = parts.map((part) => decodeURIComponent(part))
  } catch {
    return { page: 'not-found' }
  }
  const [first, second, third, fourth, ...more] = decoded
  if (more.length > 0) return { page: 'not-found' }
  if (first === undefined) return { page: 'chat' }
  if (first === 't' && second !== undefined) {
    if (third === undefined) return { page: 'chat', threadId: second }
    if (third === 'run' && fourth !== undefined) return { page: 'chat', threadId: second, runId: fourth }
    if (third === 'call' && fourth !== undefined) return { page: 'chat', threadId: second, callId: fourth }
    return { page: 'not-found' }
  }
  if (third !== undefined) return { page: 'not-found' }
  if (first === 'runs') return second === undefined ? { page: 'runs' } : { page: 'runs', runId: second }
  if (first === 'automations') {
    const tab = second === undefined ? 'activity' : AUTOMATION_TABS.find((one) => one === second)
    return tab ? { page: 'automations', tab } : { page: 'not-found' }
  }
  if (first === 'memory') {
    const tab = second === undefined ? 'items' : MEMORY_TABS.find((one) => one === second)
    return tab ? { page: 'memory', tab } : { page: 'not-found' }
  }
  if (second !== undefined) return { page: 'not-found' }
  if (first === 'connections' || first === 'settings' || first === 'diagnostics') return { page: first }
  return { page: 'not-found' }
}

/** The path of a route. With a `callId`, the run is left out. */
export function toPath(route: Exclude<Route, { readonly page: 'not-found' }>): string {
  if (route.page === 'chat') {
    if (route.threadId === undefined) return '/'
    const thread = `/t/${encodeURIComponent(route.threadId)}`
    if (route.callId !== undefined) return `${thread}/call/${encodeURIComponent(route.callId)}`
    return route.runId === undefined ? thread : `${thread}/run/${encodeURIComponent(route.runId)}`
  }
  if (route.page === 'runs' && route.runId !== undefined) return `/runs/${encodeURIComponent(route.runId)}`
  if (route.page === 'automations' && route.tab !== 'activity') return `/automations/${route.tab}`
  if (route.page === 'memory' && route.tab !== 'items') return `/memory/${route.tab}`
  return `/${route.page}`
}
