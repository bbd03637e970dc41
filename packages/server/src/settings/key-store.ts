import type { SecretVault } from '@capstan/harness/stores'
import { StoreError } from '@capstan/harness'
import type { Environment, ModelKeys } from './choose-model.ts'

/** The keys of all users and the key of Composio, encrypted in the vault. */
export interface KeyStore {
  keysOf(userId: string): ModelKeys
  /** From the settings, else from the environment. */
  readonly composioKey: string | undefined
  /** Replaces the keys of a user. */
  setKeys(userId: string, keys: ModelKeys): Promise<void>
  /** An empty key removes it. */
  setComposioKey(key: string): Promise<void>
}

const KEYS_ID = (userId: string): string => `settings:keys:${userId}`
const SHARED_ID = 'settings:shared'

/** Reads the keys of these users. Keys that cannot be decrypted are reported and count as missing. */
export async function openKeyStore(options: {
  readonly vault: SecretVault
  readonly userIds: readonly string[]
  readonly env: Environment
  readonly onProblem: (error: unknown) => void
}): Promise<KeyStore> {
  const { vault, userIds, env, onProblem } = options
  const keys = new Map<string, ModelKeys>()
  for (const userId of userIds) keys.set(userId, await readSecret(KEYS_ID(userId)))
  let composioKey = (await readSecret(SHARED_ID))['composio'] ?? env['COMPOSIO_API_KEY']

  async function readSecret(id: string): Promise<Readonly<Record<string, string>>> {
    try {
      const secret = (await vault.read(id)) ?? {}
      return Object.fromEntries(
        Object.entries(secret).filter(([, value]) => typeof value === 'string'),
      ) as Record<string, string>
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      onProblem(new Error('The keys in the settings cannot be decrypted. Enter them again.'))
      return {}
    }
  }

  return {
    keysOf: (userId) => keys.get(userId) ?? {},
    get composioKey() {
      return composioKey || undefined
    },
    async setKeys(userId, next) {
      await vault.write(KEYS_ID(userId), next)
      keys.set(userId, next)
    },
    async setComposioKey(key) {
      await vault.write(SHARED_ID, key === '' ? {} : { composio: key })
      composioKey = key || env['COMPOSIO_API_KEY']
    },
  }
}
