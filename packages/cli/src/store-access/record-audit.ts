import type { AuditLine } from '@capstan/protocol'
import { openStoreAsOwner, USER_ID } from './open-store.ts'

/** Adds lines to the audit log of a data folder that no server uses. Throws a `StoreError` when another process does. */
export async function recordAudit(
  home: string,
  ...lines: readonly Pick<AuditLine, 'action' | 'subject' | 'facts'>[]
): Promise<void> {
  const store = openStoreAsOwner(home)
  try {
    for (const line of lines) await store.audit.record({ at: Date.now(), userId: USER_ID, ...line })
  } finally {
    await store.close()
  }
}
