import type { ProviderExtras } from './message/message.ts'

/**
 * How much a model thinks before it answers. Absent: the provider's own default. Ignored by a model without this setting.
 */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/**
 * Whether the model may, must or must not call a tool. `required` and `{ tool }` hold until the turn has made its first
 * call, and the rest of the turn is `auto`, so that a forced call cannot go round for ever. `none` holds for the whole
 * turn. It needs a provider that takes tools: in a text dialect it has no effect.
 */
export type ToolChoice = 'auto' | 'required' | 'none' | { readonly tool: string }

/**
 * The options of a model request besides the conversation. Given per agent (`AgentOptions.modelOptions`,
 * `AgentDefinition.modelOptions`) and per turn (`modelOptions` of `send` and its siblings). Per field the turn's value
 * wins; headers and provider options are merged entry by entry. None of it touches the system prompt, the tools or the
 * messages, so the cached prefix of a conversation stays valid as far as the provider allows. What belongs to one turn is
 * not stored: a turn that resumes after a restart uses the options of its agent. A sub-agent uses its parent agent's
 * options under its own, without `toolChoice` and without those of the turn. A model that cannot do something ignores it.
 */
export interface ModelOptions {
  readonly reasoning?: ReasoningEffort
  readonly toolChoice?: ToolChoice
  /** Tokens of one reply. Default 16,384. */
  readonly maxOutputTokens?: number
  readonly temperature?: number
  /** Sent along over HTTP. Not scrubbed, not stored and not logged. */
  readonly headers?: Readonly<Record<string, string>>
  /** Passed through to the provider untouched, under the provider's name. */
  readonly providerOptions?: ProviderExtras
}

/** Options in which every field that a request needs is set. */
export type ResolvedModelOptions = ModelOptions & { readonly maxOutputTokens: number }
