import type { NamedSecretStore } from '../settings/named-secrets.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { AllUsers } from './all-users.ts'
import type { Update } from './assistant.ts'
import type { ConnectedApps } from './connect-apps.ts'
import type { Holds } from './holds.ts'
import type { SettingsChanges } from './settings-changes.ts'

/** Applies here what other nodes change: settings, keys, named secrets and holds. Alone in a folder, nothing is ever called. */
export function followNodes(parts: {
  readonly settings: SettingsStore
  readonly namedSecrets: NamedSecretStore
  readonly holds: Holds
  readonly users: AllUsers
  readonly apps: ConnectedApps
  readonly changes: SettingsChanges
  /** Publishes on this node only. */
  readonly publish: (update: Update) => void
  readonly onProblem: (problem: unknown) => void
}): void {
  const { settings, namedSecrets, holds, users, apps, changes, publish, onProblem } = parts
  const note = (userIds: readonly string[]): void => {
    changes.noteOthers()
    for (const userId of userIds) publish({ userId, type: 'settings-change' })
  }

  settings.onOthersChange(({ userIds, isComposioChanged }) => {
    if (isComposioChanged) apps.refreshComposio().catch(onProblem)
    note(isComposioChanged ? users.known() : userIds)
  })
  namedSecrets.onOthersChange((userId) => note([userId]))
  holds.onHoldsChanged((before) => {
    users.applyHolds(before)
    for (const userId of users.known()) publish({ userId, type: 'settings-change' })
  })
}
