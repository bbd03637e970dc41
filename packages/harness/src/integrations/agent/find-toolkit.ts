import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { findAccount } from '../connections/accounts.ts'
import type { Connections } from '../connections/connections.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectorySnapshot, ListedToolkit } from '../directory/snapshot.ts'
import { isConnected } from '../directory/snapshot.ts'
import { notConnected, unknownAccount, unknownToolkit } from './refusals.ts'

interface Apps {
  readonly directory: Directory
  readonly connections: Pick<Connections, 'findLive'>
  readonly userId: string
}

/**
 * The toolkit, with the account that is asked for. Before this refuses, the directory is read again, and the service is
 * asked once when the app does not seem to be connected.
 */
export async function findToolkit(
  slug: string,
  account: string | undefined,
  { directory, connections, userId }: Apps,
): Promise<ListedToolkit | { readonly refusal: ToolOutcome }> {
  const find = (snapshot: DirectorySnapshot | undefined) =>
    snapshot?.toolkits.find((one) => one.slug === slug)
  const known = find(directory.peek(userId))
  if (known && findAccount(known.connections, account)) return known
  directory.invalidate(userId)
  let snapshot: DirectorySnapshot
  try {
    snapshot = await directory.read(userId)
    const listed = find(snapshot)
    const mayBeLive = listed && !isConnected(listed) && listed.standing?.status !== 'disconnected'
    if (mayBeLive && (await connections.findLive(userId, listed))) snapshot = await directory.read(userId)
  } catch {
    return {
      refusal: fail('Which apps are connected could not be found out.', { errorCode: 'service_unavailable' }),
    }
  }
  const found = find(snapshot)
  if (!found) return { refusal: unknownToolkit(slug, snapshot) }
  if (!isConnected(found)) return { refusal: notConnected(found, snapshot) }
  return findAccount(found.connections, account) ? found : { refusal: unknownAccount(found, account) }
}
