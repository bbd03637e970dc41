import type { SyncView } from '@capstan/protocol'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'

/** The syncs of all accounts. */
export interface Syncs {
  /** Undefined: not known, or the app of the account offers nothing to sync. */
  readonly of: (connectionId: string) => SyncView | undefined
  /** False: it was not answered yet. */
  readonly isKnown: boolean
  /** Shows a change at once. */
  readonly show: (sync: SyncView) => void
  readonly reload: () => void
}

/** The syncs, kept up to date by server events. */
export function useSyncs(): Syncs {
  const api = useApi()
  const { data, reload, setData } = useLoaded('syncs', (signal) => api.syncs({ signal }))
  useServerEvent('jobs-change', reload)
  useServerEvent('connection-change', reload)
  useServerEvent('toolkits-change', reload)
  return {
    of: (connectionId) => data?.syncs.find((sync) => sync.connectionId === connectionId),
    isKnown: data !== undefined,
    show(sync) {
      const others = (data?.syncs ?? []).filter(({ connectionId }) => connectionId !== sync.connectionId)
      setData({ syncs: [...others, sync] })
    },
    reload,
  }
}
