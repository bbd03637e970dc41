import type { KeyStore } from './key-store.ts'
import type { SettingsFile, UserSettings } from './settings-file.ts'

/** What another node has changed in the settings. */
export interface OthersChange {
  readonly userIds: readonly string[]
  /** Whether one of them chose a model. */
  readonly isModelNamed: boolean
  readonly isKeyChanged: boolean
  readonly isComposioChanged: boolean
}

/** Follows the settings and keys that other nodes change. */
export interface Others {
  /** Listeners are called in the order in which they were added. */
  add(listener: (change: OthersChange) => void): void
}

export function followOthers(file: SettingsFile, keys: KeyStore): Others {
  const listeners: ((change: OthersChange) => void)[] = []
  const report = (change: Partial<OthersChange>): void => {
    for (const listener of listeners) listener({ ...NOTHING, ...change })
  }

  file.onOthersChange(({ users }, { users: before }) => {
    const isChanged = (userId: string, field?: keyof UserSettings): boolean => {
      const [one, other] = [users[userId], before[userId]]
      return JSON.stringify(field ? one?.[field] : one) !== JSON.stringify(field ? other?.[field] : other)
    }
    const userIds = [...new Set([...Object.keys(users), ...Object.keys(before)])].filter((userId) =>
      isChanged(userId),
    )
    report({ userIds, isModelNamed: userIds.some((userId) => isChanged(userId, 'model')) })
  })
  keys.onOthersChange((userId) => {
    if (userId === undefined) report({ isComposioChanged: true })
    else report({ userIds: [userId], isKeyChanged: true })
  })
  return { add: (listener) => void listeners.push(listener) }
}

const NOTHING: OthersChange = {
  userIds: [],
  isModelNamed: false,
  isKeyChanged: false,
  isComposioChanged: false,
}
