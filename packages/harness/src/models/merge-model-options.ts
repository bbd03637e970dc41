import { ConfigurationError } from '../turn/errors.ts'
import type { ModelOptions, ResolvedModelOptions } from '../turn/model-options.ts'
import { mergeExtras } from './merge-extras.ts'

const MAX_OUTPUT_TOKENS = 16_384

/** Merges options field by field; the second wins. An undefined field counts as absent. */
export function mergeModelOptions(first: ModelOptions = {}, second: ModelOptions = {}): ModelOptions {
  const merged: { -readonly [Key in keyof ModelOptions]: ModelOptions[Key] } = { ...first }
  for (const [name, value] of Object.entries(second)) {
    if (value !== undefined) Object.assign(merged, { [name]: value })
  }
  if (first.headers && second.headers) merged.headers = { ...first.headers, ...second.headers }
  if (first.providerOptions && second.providerOptions)
    merged.providerOptions = mergeExtras(first.providerOptions, second.providerOptions)
  return merged
}

/** Checks options and adds the defaults. Throws `ConfigurationError` with the name of the field. */
export function resolveModelOptions(options: ModelOptions = {}): ResolvedModelOptions {
  const { maxOutputTokens = MAX_OUTPUT_TOKENS, toolChoice, ...others } = options
  if (!(maxOutputTokens > 0))
    throw new ConfigurationError('modelOptions.maxOutputTokens', 'must be a positive number')
  if (toolChoice !== undefined && !isToolChoice(toolChoice))
    throw new ConfigurationError('modelOptions.toolChoice', 'must be auto, required, none or { tool }')
  const resolved: { [Key in keyof ModelOptions]: ModelOptions[Key] } = {}
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) Object.assign(resolved, { [name]: value })
  }
  return {
    ...resolved,
    ...(toolChoice === undefined || toolChoice === 'auto' ? undefined : { toolChoice }),
    maxOutputTokens,
  }
}

const isToolChoice = (choice: unknown): boolean =>
  choice === 'auto' ||
  choice === 'required' ||
  choice === 'none' ||
  (typeof choice === 'object' && choice !== null && 'tool' in choice && typeof choice.tool === 'string')
