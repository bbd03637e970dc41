import type { AuditStore } from '@capstan/harness/stores'
import type { Settings, SettingsPatch } from '@capstan/protocol'
import type { SettingsStore } from '../settings/settings-store.ts'
import { describeSettingsChange } from './describe-settings-change.ts'
import type { Update } from './assistant.ts'

/** Changes of the settings, one after the other, each published once it is stored. */
export interface SettingsChanges {
  /** Counts the changes. */
  readonly version: number
  /** Rejects with a `ConfigurationError` that names the field; nothing changes then. */
  change(userId: string, patch: SettingsPatch): Promise<Settings>
  /** Something beside the settings changed that the next turn must know. */
  note(userId: string): void
  /** The same, for what another node changed: it is not published. */
  noteOthers(): void
}

export function createSettingsChanges(options: {
  readonly settings: SettingsStore
  readonly audit: AuditStore
  readonly now: () => number
  readonly refreshComposio: () => Promise<void>
  readonly publish: (update: Update) => void
}): SettingsChanges {
  const { settings, audit, now, refreshComposio, publish } = options
  let version = 0
  let last: Promise<unknown> = Promise.resolve()

  async function change(userId: string, patch: SettingsPatch): Promise<Settings> {
    const before = settings.read(userId)
    const changed = await settings.change(userId, patch)
    version++
    for (const described of describeSettingsChange(before, changed, patch))
      await audit.record({ at: now(), userId, action: 'setting-change', ...described })
    if (patch.composioKey !== undefined) await refreshComposio()
    publish({ userId, type: 'settings-change' })
    return changed
  }

  return {
    get version() {
      return version
    },
    note(userId) {
      version++
      publish({ userId, type: 'settings-change' })
    },
    noteOthers: () => void version++,
    change(userId, patch) {
      const changed = last.then(() => change(userId, patch))
      last = changed.catch(() => undefined)
      return changed
    },
  }
}
