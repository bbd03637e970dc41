import { openDocument } from '../documents/document.ts'
import type { Document, DocumentKind } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'
import type { Environment, ModelKeys } from './choose-model.ts'

/** The keys of all users and the key of Composio, encrypted in the vault. */
export interface KeyStore {
  keysOf(userId: string): ModelKeys
  /** From the settings, else from the environment. */
  readonly composioKey: string | undefined
  /** Replaces the keys of a user. `work` may be called several times. */
  changeKeys(userId: string, work: (keys: ModelKeys) => ModelKeys): Promise<void>
  /** An empty key removes it. */
  setComposioKey(key: string): Promise<void>
  /** Calls the listener with the user whose keys another node has changed, without one for the key of Composio. */
  onOthersChange(listener: (userId: string | undefined) => void): void
}

const KEYS_ID = (userId: string): string => `settings:keys:${userId}`
const SHARED_ID = 'settings:shared'

type Keys = Readonly<Record<string, string>>
const NO_KEYS: Keys = {}

/** Reads the keys of these users. Keys that cannot be decrypted are reported and count as missing. */
export async function openKeyStore(options: {
  readonly documents: Documents
  readonly userIds: readonly string[]
  readonly env: Environment
  readonly onProblem: (error: unknown) => void
}): Promise<KeyStore> {
  const { documents, userIds, env, onProblem } = options
  await documents.load([SHARED_ID, ...userIds.map(KEYS_ID)])
  const opened = new Map<string, Document<Keys>>()

  const open = (name: string): Document<Keys> => {
    const document = opened.get(name) ?? openDocument(documents, toKind(name, onProblem))
    opened.set(name, document)
    return document
  }

  return {
    keysOf: (userId) => open(KEYS_ID(userId)).value,
    get composioKey() {
      return (open(SHARED_ID).value['composio'] ?? env['COMPOSIO_API_KEY']) || undefined
    },
    async changeKeys(userId, work) {
      await open(KEYS_ID(userId)).change((keys) => ({ ...work(keys) }))
    },
    async setComposioKey(key) {
      await open(SHARED_ID).change(() => (key === '' ? NO_KEYS : { composio: key }))
    },
    onOthersChange: (listener) =>
      void documents.watch((name) => {
        if (name === SHARED_ID) listener(undefined)
        else if (name.startsWith(KEYS_ID(''))) listener(name.slice(KEYS_ID('').length))
      }),
  }
}

const toKind = (name: string, onProblem: (error: unknown) => void): DocumentKind<Keys> => ({
  name,
  empty: NO_KEYS,
  parse: (text) =>
    Object.fromEntries(
      Object.entries(JSON.parse(text) as object).filter(([, value]) => typeof value === 'string'),
    ),
  format: (keys) => JSON.stringify(keys),
  damaged() {
    onProblem(new Error('The keys in the settings cannot be decrypted. Enter them again.'))
    return NO_KEYS
  },
})
