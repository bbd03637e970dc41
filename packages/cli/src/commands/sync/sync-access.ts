import type { SyncView } from '@capstan/protocol'
import type { CallServer } from '../../server-access/call-server.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { homeOf, refuseBesideNodes } from '../../store-access/open-store.ts'

/** Opens the API of the running server: it does the syncing. Throws a `CommandError` when there is none. */
export async function openSyncApi(home: string | undefined, shell: Shell): Promise<CallServer> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (!server) {
    refuseBesideNodes(shell.env)
    throw new CommandError(`No server is running for ${folder}.`, {
      class: 'service_unavailable',
      next: 'Start it with "capstan serve", then run this command again.',
    })
  }
  return openServerApi(folder, server)
}

/** The account with this connection id, or the only one of the app with this name. */
export async function findSync(call: CallServer, name: string): Promise<SyncView> {
  const { syncs } = await call((api) => api.syncs())
  const byId = syncs.find(({ connectionId }) => connectionId === name)
  if (byId) return byId
  const [only, ...others] = syncs.filter(({ toolkit }) => toolkit === name)
  if (!only)
    throw new CommandError(`There is no connected account "${name}" that can be synced.`, {
      class: 'not_found',
      next: '"capstan sync list" lists those that there are.',
    })
  if (others.length > 0)
    throw new CommandError(`"${name}" has more than one account.`, {
      class: 'invalid_input',
      next: 'Name the connection: "capstan sync list" shows the ids.',
    })
  return only
}
