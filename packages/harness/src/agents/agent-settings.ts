import { ConfigurationError } from '../turn/errors.ts'
import type { AgentDefinition } from './agent-definition.ts'

/** Settings of one sub-agent that replace what its definition says. */
export interface AgentSettings {
  readonly maxIterations?: number
  /** The longest time it may work, without the time a person needs to answer. */
  readonly timeoutMs?: number
  /** A model by name. */
  readonly model?: string
}

/** Settings by the id of an agent, built-in ones included. */
export type SettingsByAgent = Readonly<Record<string, AgentSettings>>

/** The definition with the settings for its id. */
export function withSettings(definition: AgentDefinition, settings: SettingsByAgent = {}): AgentDefinition {
  if (!Object.hasOwn(settings, definition.id)) return definition
  const { maxIterations, timeoutMs, model } = settings[definition.id]!
  return {
    ...definition,
    ...(maxIterations === undefined ? undefined : { maxIterations }),
    ...(timeoutMs === undefined ? undefined : { budget: { ...definition.budget, wallClockMs: timeoutMs } }),
    ...(model === undefined ? undefined : { model }),
  }
}

/** Throws `ConfigurationError` for a limit that is not a positive number. */
export function checkSettings(settings: SettingsByAgent): void {
  for (const [id, { maxIterations = 1, timeoutMs = 1 }] of Object.entries(settings)) {
    if (!(maxIterations > 0))
      throw new ConfigurationError(`agentSettings.${id}.maxIterations`, 'must be a positive number')
    if (!(timeoutMs > 0))
      throw new ConfigurationError(`agentSettings.${id}.timeoutMs`, 'must be a positive number')
  }
}
