import type { Clock } from '@capstan/harness/seams'
import type { NamedSecretStore } from '../settings/named-secrets.ts'
import type { Assistant } from './assistant.ts'
import type { RecordAudit } from './record-audit.ts'
import type { SettingsChanges } from './settings-changes.ts'

/** The named secrets of users. A change is in the audit log, and known to the next turn. */
export function toSecretMethods(parts: {
  readonly secrets: NamedSecretStore
  readonly changes: SettingsChanges
  readonly record: RecordAudit
  readonly clock: Clock
}): Assistant['secrets'] {
  const { secrets, changes, record, clock } = parts
  return {
    list: (userId) => secrets.list(userId),
    async put(userId, name, secret) {
      const row = await secrets.put(userId, name, secret, clock.now())
      await record(userId, 'secret-put', name, { hosts: row.hosts.join(', ') })
      changes.note(userId)
      return row
    },
    async remove(userId, name) {
      if (!(await secrets.remove(userId, name))) return false
      await record(userId, 'secret-remove', name)
      changes.note(userId)
      return true
    },
  }
}
