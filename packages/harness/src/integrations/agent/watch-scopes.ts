import type { ScopeSettings } from '@capstan/protocol'
import type { ConnectionStore } from '../../ports/connection-store.ts'
import type { Directory } from '../directory/directory.ts'
import { isSameScopes } from './allowed-actions.ts'

/** What the user allows in an app: as the store says now, and after that as the directory learns of changes. */
export async function watchScopes(
  slug: string,
  {
    directory,
    store,
    userId,
  }: { readonly directory: Directory; readonly store: ConnectionStore; readonly userId: string },
): Promise<() => ScopeSettings> {
  const inDirectory = () => directory.last(userId)?.toolkits.find((one) => one.slug === slug)?.scopes
  const before = inDirectory()
  const stored = await store.scopes(userId, slug)
  return () => {
    const now = inDirectory()
    return now && !(before && isSameScopes(now, before)) ? now : stored
  }
}
