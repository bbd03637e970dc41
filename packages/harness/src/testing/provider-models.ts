import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fromAiSdk } from '../models/ai-sdk-model.ts'
import type { ModelClient } from '../models/model-client.ts'
import { chatReply, messagesReply } from './provider-server.ts'
import type { ProviderAnswer, ProviderReply, ProviderServer } from './provider-server.ts'

/** A real provider package, and replies in its format. */
export interface ProviderModel {
  readonly name: string
  readonly id: string
  readonly connect: (server: ProviderServer) => ModelClient
  readonly reply: (reply: ProviderReply) => ProviderAnswer
}

/** The OpenAI-compatible package and chat completions. */
export const OPENAI_COMPATIBLE: ProviderModel = {
  name: 'an OpenAI-compatible server',
  id: 'acme/m',
  connect: ({ url }) =>
    fromAiSdk(createOpenAICompatible({ name: 'acme', baseURL: `${url}/v1`, includeUsage: true })('m')),
  reply: chatReply,
}

/** The Anthropic package and its messages format. */
export const ANTHROPIC: ProviderModel = {
  name: 'Anthropic',
  id: 'anthropic/claude-sonnet-5',
  connect: ({ url }) =>
    fromAiSdk(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'key' })('claude-sonnet-5')),
  reply: messagesReply,
}
