import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { findAccount } from '../connections/accounts.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectorySnapshot, ListedToolkit } from '../directory/snapshot.ts'
import { isConnected } from '../directory/snapshot.ts'
import { notConnected, unknownAccount, unknownToolkit } from './refusals.ts'

/** The toolkit, with the account that is asked for. The directory is read again before this refuses. */
export async function findToolkit(
  slug: string,
  account: string | undefined,
  { directory, userId }: { readonly directory: Directory; readonly userId: string },
): Promise<ListedToolkit | { readonly refusal: ToolOutcome }> {
  const find = (snapshot: DirectorySnapshot | undefined) =>
    snapshot?.toolkits.find((one) => one.slug === slug)
  const known = find(directory.peek(userId))
  if (known && findAccount(known.connections, account)) return known
  directory.invalidate(userId)
  let snapshot: DirectorySnapshot
  try {
    snapshot = await directory.read(userId)
  } catch {
    return {
      refusal: fail('Which apps are connected could not be found out.', { errorCode: 'service_unavailable' }),
    }
  }
  const found = find(snapshot)
  if (!found) return { refusal: unknownToolkit(slug, snapshot) }
  if (!isConnected(found)) return { refusal: notConnected(found) }
  return findAccount(found.connections, account) ? found : { refusal: unknownAccount(found, account) }
}
