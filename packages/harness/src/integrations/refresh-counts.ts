import type { ConnectionRow } from '@capstan/protocol'

/** What is known of a user's apps could not be brought up to date. Holds names only, nothing that a service wrote. */
export interface RefreshFailure {
  /** The list of apps, the actions of one of them, or the state of a connection to it. */
  readonly what: 'apps' | 'actions' | 'connection'
  readonly userId: string
  /** The connector that could not be asked, or `store`. */
  readonly source: string
  readonly toolkit?: string
}

/** Since the start of the process. */
export interface IntegrationsCounts {
  /** Lists of apps that were asked for. */
  readonly refreshes: number
  /** Sources that did not answer then. */
  readonly refreshFailures: number
  readonly actionLists: number
  readonly actionListFailures: number
  /** Connections whose service could not be asked for their state. */
  readonly checkFailures: number
}

/** Counts what was asked for and what failed, and reports each failure. A listener that throws changes nothing. */
export interface RefreshCounts {
  appsFetched(userId: string, failed: readonly string[]): void
  actionsListed(userId: string, failure?: { readonly source: string; readonly toolkit: string }): void
  checkFailed(connection: ConnectionRow): void
  read(): IntegrationsCounts
}

/** Counts from zero. */
export function createRefreshCounts(onFailure?: (failure: RefreshFailure) => void): RefreshCounts {
  const counts = { refreshes: 0, refreshFailures: 0, actionLists: 0, actionListFailures: 0, checkFailures: 0 }
  const report = (failure: RefreshFailure): void => {
    try {
      onFailure?.(failure)
    } catch {
      // A failing listener is not the concern of the integrations.
    }
  }
  return {
    appsFetched(userId, failed) {
      counts.refreshes++
      counts.refreshFailures += failed.length
      for (const source of failed) report({ what: 'apps', userId, source })
    },
    actionsListed(userId, failure) {
      counts.actionLists++
      if (!failure) return
      counts.actionListFailures++
      report({ what: 'actions', userId, ...failure })
    },
    checkFailed({ userId, connector, toolkit }) {
      counts.checkFailures++
      report({ what: 'connection', userId, source: connector, toolkit })
    },
    read: () => ({ ...counts }),
  }
}
