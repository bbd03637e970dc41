import type { ModelClient, SafetyMode } from '@capstan/harness'
import type { Embedder } from '@capstan/harness/models'
import { ConfigurationError } from '@capstan/harness'
import type { ModelKeyState, Settings, SettingsPatch } from '@capstan/protocol'
import type { Documents } from '../documents/documents.ts'
import { checkPatch } from './check-patch.ts'
import type { EmbedderChoice } from './choose-embedder.ts'
import { createEmbedders, makeEmbedder, toEmbeddingInUse } from './choose-embedder.ts'
import type { Environment, ModelChoice, ModelKeys } from './choose-model.ts'
import { bindKey } from './key-origin.ts'
import { chooseModel, isDemoName, KEY_VARIABLES, makeModel } from './choose-model.ts'
import { openKeyStore } from './key-store.ts'
import { followOthers } from './follow-others.ts'
import type { OthersChange } from './follow-others.ts'
import type { SettingsFile, UserSettings } from './settings-file.ts'
import { DEFAULT_SETTINGS } from './settings-file.ts'

export interface SettingsStoreOptions {
  readonly folder: string
  readonly file: SettingsFile
  /** Holds the keys, encrypted. They are never in the file. */
  readonly keys: Documents
  readonly env: Environment
  readonly version: string
  readonly hasDemoApp: boolean
  /** The owner of the machine, to whom its folders belong. */
  readonly ownerId: string
  /** Of a user who has not set a mode. Default `supervised`. */
  readonly defaultMode?: SafetyMode
  /** A model by name, until a user sets another. */
  readonly model?: string
  /** This model, whatever the settings say. */
  readonly client?: ModelClient
  /** This embedding model, whatever the settings say. */
  readonly embedder?: Embedder
  readonly demo: ModelClient
  /** Finds a model on this machine; called once. */
  readonly findLocal: () => Promise<string | undefined>
  readonly onProblem: (error: unknown) => void
}

/** The settings of every user, and the models that follow from them. */
export interface SettingsStore {
  read(userId: string): Settings
  /** What holds for a user. A member has the folders that the owner shares, and never the mode `full` by own choice. */
  of(userId: string): UserSettings
  /** The same object until a change selects another model. */
  model(userId: string): ModelChoice
  /** What makes vectors for memory. The same object until a change selects another one. */
  embedder(userId: string): EmbedderChoice
  /** Throws a `ConfigurationError` for an unknown name or a missing key. */
  makeModel(userId: string, name: string): ModelClient
  readonly composioKey: string | undefined
  /** Rejects with a `ConfigurationError` that names the field; nothing changes then. Calls must not overlap. */
  change(userId: string, patch: SettingsPatch): Promise<Settings>
  /** Calls the listener with what another node has changed. */
  onOthersChange(listener: (change: OthersChange) => void): void
}

export async function createSettingsStore(options: SettingsStoreOptions): Promise<SettingsStore> {
  const { folder, file, env, demo, onProblem } = options
  const userIds = Object.keys(file.document.users)
  const secrets = await openKeyStore({ documents: options.keys, userIds, env, onProblem })
  const keysOf = (userId: string): ModelKeys => bindKey(secrets.keysOf(userId), stored(userId).model)
  let named = options.model
  const choices = new Map<string, ModelChoice>()
  const embedders = createEmbedders(
    (userId) => ({ setting: of(userId).embeddingModel, keys: keysOf(userId), env, onProblem }),
    options.embedder,
  )
  const isSettled = options.client ?? named ?? env['CAPSTAN_MODEL']
  const local = isSettled ? undefined : await options.findLocal()

  const defaults = toDefaults(options.defaultMode)
  const storedIn = ({ users }: SettingsFile['document'], userId: string): UserSettings =>
    (Object.hasOwn(users, userId) ? users[userId] : undefined) ?? defaults
  const stored = (userId: string): UserSettings => storedIn(file.document, userId)

  const of = (userId: string): UserSettings =>
    userId === options.ownerId
      ? stored(userId)
      : toMemberSettings(stored(userId), stored(options.ownerId), defaults)

  function choose(userId: string): ModelChoice {
    if (options.client) return { client: options.client, isDemo: false, from: 'environment' }
    const choice = chooseModel({
      ...(named === undefined ? undefined : { named }),
      setting: of(userId).model,
      keys: keysOf(userId),
      env,
      ...(local === undefined ? undefined : { local }),
      demo,
    })
    if (choice.problem !== undefined) onProblem(new Error(choice.problem))
    return choice
  }

  function model(userId: string): ModelChoice {
    let choice = choices.get(userId)
    if (!choice) choices.set(userId, (choice = choose(userId)))
    return choice
  }

  function read(userId: string): Settings {
    const { client, isDemo, from } = model(userId)
    const { images, files } = client.abilities
    return {
      ...of(userId),
      ...toEmbeddingInUse(embedders.of(userId)),
      modelInUse: { name: client.id, isDemo, from, reads: { images, files } },
      modelKeys: toKeyStates(keysOf(userId), env),
      composio: { isSet: secrets.composioKey !== undefined },
      dataFolder: folder,
      version: options.version,
      demoApp: options.hasDemoApp,
    }
  }

  const others = followOthers(file, secrets)
  others.add(({ isModelNamed, isKeyChanged }) => {
    if (isModelNamed) named = undefined
    if (isModelNamed || isKeyChanged) choices.clear()
    embedders.forget()
  })

  return {
    read,
    of,
    model,
    embedder: (userId) => embedders.of(userId),
    onOthersChange: (listener) => others.add(listener),
    makeModel: (userId, name) => (isDemoName(name) ? demo : makeModel(name, keysOf(userId), env)),
    get composioKey() {
      return secrets.composioKey
    },
    async change(userId, patch) {
      const checked = checkPatch(patch, folder)
      const { modelKeys, composioKey, ...plain } = checked
      const next = withPatch(stored(userId), plain)
      const toNextKeys = (keys: ModelKeys): ModelKeys =>
        bindKey(withNewKeys(bindKey(keys, stored(userId).model), modelKeys), next.model)
      const nextKeys = toNextKeys(secrets.keysOf(userId))
      checkModels(plain, nextKeys, env)
      // Keys first: settings are never stored without the key they need.
      if (modelKeys || isNewlyBound(secrets.keysOf(userId), nextKeys))
        await secrets.changeKeys(userId, toNextKeys)
      if (composioKey !== undefined) await secrets.setComposioKey(composioKey)
      await file.change((document) => ({
        ...document,
        users: { ...document.users, [userId]: withPatch(storedIn(document, userId), plain) },
      }))
      if (plain.model !== undefined) named = undefined
      if (plain.model !== undefined || modelKeys) choices.clear() // the named model was used by every user
      embedders.forget()
      return read(userId)
    },
  }
}

function toKeyStates(keys: ModelKeys, env: Environment): readonly ModelKeyState[] {
  return Object.entries(KEY_VARIABLES).map(([name, variable]) => {
    const provider = name as ModelKeyState['provider']
    if (keys[provider]) return { provider, from: 'settings' }
    return env[variable] ? { provider, from: 'environment' } : { provider }
  })
}

/** A member has no commands, the folders that the owner shares, and the mode `full` only where the program gives it to everybody. */
function toMemberSettings(own: UserSettings, owner: UserSettings, defaults: UserSettings): UserSettings {
  const isTooWide = own.safetyMode === 'full' && defaults.safetyMode !== 'full'
  return {
    ...own,
    ...(isTooWide ? { safetyMode: 'supervised' } : undefined),
    roots: owner.roots.filter((root) => owner.sharedRoots.includes(root)),
    sharedRoots: [],
    shell: 'off', // commands reach the machine, which is the owner's
    shellHosts: [],
  }
}

/** A folder that is no longer used is no longer shared. */
function withPatch(
  before: UserSettings,
  {
    roots: wanted,
    sharedRoots: wantedShared,
    shellHosts,
    hosts,
    ...rest
  }: Omit<SettingsPatch, 'modelKeys' | 'composioKey'>,
): UserSettings {
  const roots = [...(wanted ?? before.roots)]
  if (wantedShared?.some((root) => !roots.includes(root)))
    throw new ConfigurationError('sharedRoots', 'must be among the folders of the owner')
  const sharedRoots = (wantedShared ?? before.sharedRoots).filter((root) => roots.includes(root))
  return {
    ...before,
    ...rest,
    roots,
    sharedRoots,
    shellHosts: [...(shellHosts ?? before.shellHosts)],
    hosts: [...(hosts ?? before.hosts)],
  }
}

const isNewlyBound = (before: ModelKeys, after: ModelKeys): boolean =>
  before.compatibleOrigin !== after.compatibleOrigin

/** A blank key removes the one before. A new key is not bound to the address of the one before. */
function withNewKeys(before: ModelKeys, given: ModelKeys | undefined): ModelKeys {
  const { compatibleOrigin, ...keys } = before
  const isBound = compatibleOrigin !== undefined && given?.compatible === undefined
  const all = { ...keys, ...(isBound ? { compatibleOrigin } : undefined), ...given }
  return Object.fromEntries(Object.entries(all).filter(([, key]) => key !== ''))
}

const toDefaults = (safetyMode: SafetyMode | undefined): UserSettings => ({
  ...DEFAULT_SETTINGS,
  ...(safetyMode && { safetyMode }),
})

function checkModels(
  { model, embeddingModel }: Pick<SettingsPatch, 'model' | 'embeddingModel'>,
  keys: ModelKeys,
  env: Environment,
): void {
  if (model && !isDemoName(model)) checkModel('model', () => makeModel(model, keys, env))
  if (embeddingModel) checkModel('embeddingModel', () => makeEmbedder(embeddingModel, keys, env))
}

/** Reports every problem under the field that the user has set. */
function checkModel(field: 'model' | 'embeddingModel', make: () => unknown): void {
  try {
    make()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new ConfigurationError(field, error.message.replace(/^\w*[mM]odel: /, '').replace(': is', ' is'))
  }
}
