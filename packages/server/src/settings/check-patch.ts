import { ConfigurationError } from '@capstan/harness'
import { QUEUE_MODES } from '@capstan/protocol'
import type { SettingsPatch } from '@capstan/protocol'
import { checkFolder } from './check-folder.ts'
import { checkHosts } from './check-hosts.ts'
import type { ModelKeys } from './choose-model.ts'
import { KEY_VARIABLES } from './choose-model.ts'
import { fieldError } from './field-error.ts'

const MAX_ROOTS = 20
const MAX_HOSTS = 200
const MAX_KEY_CHARS = 1_000

/** Validates each field of a change. Throws a `ConfigurationError` that names the field. */
export function checkPatch(patch: SettingsPatch, dataFolder: string): SettingsPatch {
  const {
    model,
    embeddingModel,
    modelKeys,
    safetyMode,
    roots,
    sharedRoots,
    shell,
    shellHosts,
    hosts,
    queueMode,
    language,
    theme,
    reduceMotion,
    composioKey,
  } = patch
  return {
    ...(model === undefined ? undefined : { model: text('model', model, 300) }),
    ...(embeddingModel === undefined
      ? undefined
      : { embeddingModel: text('embeddingModel', embeddingModel, 300) }),
    ...(modelKeys === undefined ? undefined : { modelKeys: checkKeys(modelKeys) }),
    ...(safetyMode === undefined
      ? undefined
      : { safetyMode: oneOf('safetyMode', safetyMode, ['read-only', 'supervised', 'full']) }),
    ...(roots === undefined ? undefined : { roots: checkRoots(roots, dataFolder) }),
    ...(sharedRoots === undefined
      ? undefined
      : { sharedRoots: checkRoots(sharedRoots, dataFolder, 'sharedRoots') }),
    ...(shell === undefined ? undefined : { shell: oneOf('shell', shell, ['off', 'ask', 'on']) }),
    ...(shellHosts === undefined ? undefined : { shellHosts: checkHosts('shellHosts', shellHosts) }),
    ...(hosts === undefined
      ? undefined
      : { hosts: checkHosts('hosts', hosts, { max: MAX_HOSTS, allowsPort: false }) }),
    ...(queueMode === undefined ? undefined : { queueMode: oneOf('queueMode', queueMode, QUEUE_MODES) }),
    ...(language === undefined ? undefined : { language: checkLanguage(language) }),
    ...(theme === undefined ? undefined : { theme: oneOf('theme', theme, ['system', 'light', 'dark']) }),
    ...(reduceMotion === undefined ? undefined : { reduceMotion: checkFlag('reduceMotion', reduceMotion) }),
    ...(composioKey === undefined ? undefined : { composioKey: checkKey('composioKey', composioKey) }),
  }
}

function text(field: string, value: unknown, maxChars: number): string {
  if (typeof value !== 'string') throw new ConfigurationError(field, 'must be text')
  const trimmed = value.trim()
  if (trimmed.length > maxChars) throw new ConfigurationError(field, `is longer than ${maxChars} characters`)
  return trimmed
}

function oneOf<const Value extends string>(field: string, value: unknown, values: readonly Value[]): Value {
  const found = values.find((known) => known === value)
  if (found === undefined) throw new ConfigurationError(field, `must be one of ${values.join(', ')}`)
  return found
}

function checkFlag(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new ConfigurationError(field, 'must be true or false')
  return value
}

function checkLanguage(value: unknown): string {
  const tag = text('language', value, 35)
  if (tag !== '' && !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag))
    throw new ConfigurationError('language', 'must be a language tag, such as de or zh-CN')
  return tag
}

// The message never contains the key.
function checkKey(field: string, value: unknown): string {
  const key = text(field, value, MAX_KEY_CHARS)
  if (/[^\u0021-\u007e]/.test(key)) throw fieldError(field, { kind: 'not-a-key' })
  return key
}

function checkKeys(keys: object): ModelKeys {
  const known = Object.keys(KEY_VARIABLES)
  const checked = Object.entries(keys).map(([provider, key]) => {
    const field = `modelKeys.${provider}`
    if (!known.includes(provider)) throw new ConfigurationError(field, `must be one of ${known.join(', ')}`)
    return [provider, checkKey(field, key)] as const
  })
  return Object.fromEntries(checked)
}

function checkRoots(roots: unknown, dataFolder: string, name = 'roots'): readonly string[] {
  if (!Array.isArray(roots)) throw new ConfigurationError(name, 'must be a list of folders')
  if (roots.length > MAX_ROOTS) throw fieldError(name, { kind: 'too-many', most: MAX_ROOTS })
  const checked = roots.map((root: unknown, index) => {
    const field = `${name}.${index}`
    return checkFolder(field, text(field, root, 4096), { dataFolder })
  })
  return [...new Set(checked)]
}
