import type { SyncEstimate, SyncList, SyncSettings, SyncView } from '@capstan/protocol'
import type { Sender } from './sender.ts'
import { route } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** What connected apps hold, brought into memory. */
export interface SyncApi {
  /** The connections whose apps can be synced. */
  syncs(options?: Options): Promise<SyncList>
  sync(connectionId: string, options?: Options): Promise<SyncView>
  /** Asks the app what a first sync needs. Its days are counted for the limits that are given. */
  estimateSync(
    connectionId: string,
    options?: Options & Partial<Pick<SyncSettings, 'requestsPerDay' | 'tokensPerDay'>>,
  ): Promise<SyncEstimate>
  /** Switches it on, or changes its settings. `expected`: the count of an estimate. */
  switchSyncOn(
    connectionId: string,
    settings: Partial<SyncSettings> & { readonly expected?: number },
    options?: Options,
  ): Promise<SyncView>
  /** `forget`: what was synced of the account is deleted. */
  switchSyncOff(connectionId: string, options?: Options & { readonly forget?: boolean }): Promise<void>
}

export function syncApi({ json, nothing }: Pick<Sender, 'json' | 'nothing'>): SyncApi {
  return {
    syncs: (given) => json('GET', '/api/syncs', given),
    sync: (connectionId, given) => json('GET', route`/api/connections/${connectionId}/sync`, given),
    estimateSync: (connectionId, { signal, ...query } = {}) =>
      json('GET', route`/api/connections/${connectionId}/sync/estimate`, { signal, query }),
    switchSyncOn: (connectionId, settings, given) =>
      json('PUT', route`/api/connections/${connectionId}/sync`, { ...given, body: settings }),
    switchSyncOff: (connectionId, { signal, ...query } = {}) =>
      nothing('DELETE', route`/api/connections/${connectionId}/sync`, { signal, query }),
  }
}
