import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import type { SettingsPatch } from '@capstan/protocol'
import { checkHosts } from './check-profile.ts'
import type { ModelKeys } from './choose-model.ts'
import { KEY_VARIABLES } from './choose-model.ts'
import { isAround, realOrSame } from './paths.ts'

const MAX_ROOTS = 20
const MAX_HOSTS = 200
const MAX_KEY_CHARS = 1_000

/** Validates each field of a change. Throws a `ConfigurationError` that names the field. */
export function checkPatch(patch: SettingsPatch, dataFolder: string): SettingsPatch {
  const {
    model,
    modelKeys,
    safetyMode,
    roots,
    sharedRoots,
    shell,
    shellHosts,
    hosts,
    language,
    theme,
    reduceMotion,
    composioKey,
  } = patch
  return {
    ...(model === undefined ? undefined : { model: text('model', model, 300) }),
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
  if (/[^\u0021-\u007e]/.test(key)) throw new ConfigurationError(field, 'does not look like a key')
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
  if (!Array.isArray(roots) || roots.length > MAX_ROOTS)
    throw new ConfigurationError(name, `must be a list of at most ${MAX_ROOTS} folders`)
  const checked = roots.map((root, index) => checkRoot(`${name}.${index}`, root, dataFolder))
  return [...new Set(checked)]
}

function checkRoot(field: string, value: unknown, dataFolder: string): string {
  const written = text(field, value, 4096)
  if (!isAbsolute(written)) throw new ConfigurationError(field, 'must be an absolute path')
  let root: string
  try {
    root = realpathSync(resolve(written))
    if (!statSync(root).isDirectory()) throw new Error('not a folder')
  } catch {
    throw new ConfigurationError(field, `"${written}" is not a folder that can be read`)
  }
  // The data folder holds keys and the record of permissions.
  const own = realOrSame(dataFolder)
  if (isAround(root, own) || isAround(own, root))
    throw new ConfigurationError(
      field,
      `"${written}" holds the assistant's own data folder; choose one that does not`,
    )
  return root
}
