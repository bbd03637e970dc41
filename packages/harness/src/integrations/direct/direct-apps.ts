import type { RunContext } from '../../turn/run-context.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import type { AskedApp, OpenApp, OpenAppOptions } from '../agent/open-app.ts'
import { openApp } from '../agent/open-app.ts'
import { findAccount } from '../connections/accounts.ts'
import { toSlug } from '../directory/toolkit-slug.ts'

/** The apps that a run works in directly. Their actions are listed once per run, and again after a change. */
export interface DirectApps {
  /** `isFresh`: lists the actions again in any case. */
  open(
    asked: AskedApp,
    run: RunContext,
    how?: { readonly signal?: AbortSignal; readonly isFresh?: boolean },
  ): Promise<OpenApp | { readonly refusal: ToolOutcome }>
}

type Opened = Awaited<ReturnType<DirectApps['open']>>

/** The apps of one user. */
export function createDirectApps(options: OpenAppOptions): DirectApps {
  const opened = new WeakMap<RunContext, Map<string, Promise<Opened>>>()

  /** Whether the account, its sign-in and the actions are those of before. */
  function isCurrent({ slug, connection, isStale }: OpenApp, account: string | undefined): boolean {
    if (isStale()) return false
    const now = options.directory.peek(options.userId)?.toolkits.find((toolkit) => toolkit.slug === slug)
    const { id, updatedAt } = (now && findAccount(now.connections, account)) ?? {}
    return id === connection.id && updatedAt === connection.updatedAt
  }

  async function openFresh(asked: AskedApp, run: RunContext, signal: AbortSignal): Promise<Opened> {
    const app = await openApp(asked, signal, options)
    // What an app says about its actions is taken note of as if they were tools of the run.
    if (!('refusal' in app)) run.flow.offered(createSurface(app.toTools(app.actions).map(({ tool }) => tool)))
    return app
  }

  return {
    async open(asked, run, { signal = run.signal, isFresh = false } = {}) {
      const apps = opened.get(run) ?? new Map<string, Promise<Opened>>()
      opened.set(run, apps)
      const key = JSON.stringify([toSlug(asked.toolkit), asked.account ?? ''])
      const before = apps.get(key)
      const known = isFresh ? undefined : await before?.catch(() => undefined)
      if (known && !('refusal' in known) && isCurrent(known, asked.account)) return known
      // Calls of one reply share one list.
      const sharing = apps.get(key)
      if (!isFresh && sharing && sharing !== before) return sharing
      const opening = openFresh(asked, run, signal)
      apps.set(key, opening)
      return opening
    },
  }
}
