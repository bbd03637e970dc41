import type { ActionTool } from './allowed-actions.ts'
import type { AppAction } from './app-actions.ts'
import type { OpenApp, OpenAppOptions } from './open-app.ts'
import { openApp } from './open-app.ts'

/** For a service to list its actions again while an agent works. After that the old list holds until the next try. */
const RELIST_TIMEOUT_MS = 5_000

/** An app that an agent works in, with its actions as the service last listed them. */
export interface FollowedApp {
  readonly now: () => OpenApp
  /** Lists the actions again if the service changed them. Never rejects. */
  readonly refresh: () => Promise<void>
  /** Tools that end after such a list, so that the next iteration knows it. */
  readonly toTools: (actions: readonly AppAction[]) => readonly ActionTool[]
}

/** Follows the actions of an app that was opened. */
export function followActions(first: OpenApp, options: OpenAppOptions): FollowedApp {
  let app = first
  let listing: Promise<void> | undefined

  async function list(): Promise<void> {
    const asked = { toolkit: app.slug, account: app.connection.id }
    try {
      const next = await openApp(asked, AbortSignal.timeout(RELIST_TIMEOUT_MS), options)
      if (!('refusal' in next)) app = next
    } catch {
      // The store could not be read: the old list holds.
    }
  }

  async function refresh(): Promise<void> {
    if (!app.isStale()) return
    listing ??= list().finally(() => (listing = undefined))
    await listing
  }

  return {
    now: () => app,
    refresh,
    toTools: (actions) => app.toTools(actions, refresh),
  }
}
