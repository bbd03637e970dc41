import type { ModelClient } from '@capstan/harness'
import { ConfigurationError, createModel } from '@capstan/harness'
import type { ModelKeyState, Settings } from '@capstan/protocol'
import { mayHaveKey } from './key-origin.ts'

/** The default model for each key, in order of preference: capable, and not the most expensive. */
export const MODELS_BY_KEY: readonly (readonly [variable: string, model: string])[] = [
  ['OPENAI_API_KEY', 'openai/gpt-6.1-terra'],
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-5'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google/gemini-3.8-flash'],
]

export type ModelKeys = Readonly<Partial<Record<ModelKeyState['provider'], string>>> & {
  /** The only origin that the key of a compatible server is sent to. Absent until a model with an address is chosen. */
  readonly compatibleOrigin?: string
}

export const KEY_VARIABLES: Readonly<Record<ModelKeyState['provider'], string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  compatible: 'CAPSTAN_MODEL_API_KEY',
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The name of the demo model in the settings. */
export const DEMO_MODEL = 'demo'

export interface ModelChoice extends Pick<Settings['modelInUse'], 'isDemo' | 'from'> {
  readonly client: ModelClient
  /** Why it is not the requested model. */
  readonly problem?: string
}

export interface ModelWishes {
  /** Named at the start of the program; it has the highest priority. */
  readonly named?: string
  /** From the settings. Empty: none. */
  readonly setting: string
  readonly keys: ModelKeys
  readonly env: Environment
  /** A model on this machine, if one was found. */
  readonly local?: string
  readonly demo: ModelClient
}

/**
 * Chooses the model: the named one, the one in the settings, CAPSTAN_MODEL, the default for the first key, a local one, the
 * demo. A model that cannot be used is skipped, and `problem` says why. Never throws.
 */
export function chooseModel(wishes: ModelWishes): ModelChoice {
  const { named, setting, keys, env, local, demo } = wishes
  const ownKey = MODELS_BY_KEY.find(([variable]) => keyFromSettings(variable, keys))
  const foreignKey = MODELS_BY_KEY.find(([variable]) => env[variable])
  const candidates: readonly (readonly [name: string | undefined, from: ModelChoice['from']])[] = [
    [named, 'environment'],
    [setting, 'settings'],
    [env['CAPSTAN_MODEL'], 'environment'],
    [ownKey?.[1], 'settings'],
    [foreignKey?.[1], 'environment'],
    [local, 'environment'],
  ]
  let problem: string | undefined
  const why = () => (problem === undefined ? undefined : { problem })
  for (const [name, from] of candidates) {
    if (!name) continue
    if (isDemoName(name)) return { client: demo, isDemo: true, from, ...why() }
    try {
      return { client: makeModel(name, keys, env), isDemo: false, from, ...why() }
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      problem ??= `${name} cannot be used: ${error.message}`
    }
  }
  return { client: demo, isDemo: true, from: 'demo', ...why() }
}

export const isDemoName = (name: string): boolean => name === DEMO_MODEL || name === 'demo/scripted'

/** Throws a `ConfigurationError` for an unknown name or a missing key. */
export function makeModel(name: string, keys: ModelKeys, env: Environment): ModelClient {
  return createModel(name, { env: withKeys(name, keys, env) })
}

/** Keys in the settings override those in the environment. One that is meant for another address is left out. */
export function withKeys(name: string, keys: ModelKeys, env: Environment): Environment {
  const stored = mayHaveKey(name, keys.compatibleOrigin) ? keys : { ...keys, compatible: undefined }
  const own = Object.entries(KEY_VARIABLES).map(([provider, variable]) => [
    variable,
    stored[provider as keyof ModelKeys],
  ])
  return { ...env, ...Object.fromEntries(own.filter(([, key]) => key)) }
}

function keyFromSettings(variable: string, keys: ModelKeys): boolean {
  return Object.entries(KEY_VARIABLES).some(
    ([provider, name]) => name === variable && Boolean(keys[provider as keyof ModelKeys]),
  )
}
