import type { ModelKeys } from './choose-model.ts'

/** Whether the name of a model is an address, to which requests and the key are sent. */
export const namesAddress = (model: string): boolean => model.includes('://')

/** Where the requests of a model with this name go, if the name is an address. */
const originOf = (model: string): string | undefined =>
  namesAddress(model) && URL.canParse(model) ? new URL(model).origin : undefined

/** Binds the key of a compatible server to the address of this model, unless it is bound already. Pure. */
export function bindKey(keys: ModelKeys, model: string): ModelKeys {
  const origin = originOf(model)
  if (!keys.compatible || keys.compatibleOrigin !== undefined || origin === undefined) return keys
  return { ...keys, compatibleOrigin: origin }
}

/** Whether a key that is meant for one origin may be sent to a model with this name. Pure. */
export function mayHaveKey(model: string, origin: string | undefined): boolean {
  return !namesAddress(model) || origin === undefined || originOf(model) === origin
}
