import type { SettingsStore } from '../settings/settings-store.ts'
import type { JudgeModels } from './decide-trigger.ts'

/** The named model with the user's own as the fallback, or the user's own. The demo model cannot judge. */
export function judgeModelsOf(
  settings: Pick<SettingsStore, 'model' | 'makeModel'>,
  userId: string,
  name: string,
): JudgeModels | undefined {
  const { client, isDemo } = settings.model(userId)
  const own = isDemo ? undefined : client
  if (name !== '') {
    try {
      const model = settings.makeModel(userId, name)
      return { model, ...(own && { fallback: own }) }
    } catch {
      // Its key was removed, say: the user's own model judges.
    }
  }
  return own && { model: own }
}
