import type { ModelClient, ModelPart, ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { Message } from '../turn/message/message.ts'

/** A user message. */
export const userMessage = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })

/** A model request with fields to override. */
export function requestOf(
  messages: readonly Message[] = [userMessage('Hi')],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    system: 'Be brief.',
    messages,
    tools: [],
    media: { get: () => undefined, put: () => '' },
    maxOutputTokens: 500,
    ...more,
  }
}

/** All parts of a model's reply. */
export async function readParts(
  model: ModelClient,
  request = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  await model.stream(request, signal, (part) => void parts.push(part))
  return parts
}

/** The parts before a model call failed, and its `ModelError`. Other errors are thrown. */
export async function readFailure(model: ModelClient): Promise<{
  readonly parts: readonly ModelPart[]
  readonly facts: ModelError['facts']
  readonly error: ModelError
}> {
  const parts: ModelPart[] = []
  try {
    await model.stream(requestOf(), new AbortController().signal, (part) => void parts.push(part))
  } catch (error) {
    if (error instanceof ModelError) return { parts, facts: error.facts, error }
    throw error
  }
  throw new Error('The model call did not fail')
}

/** The joined deltas of one type. */
export function deltasOf(parts: readonly ModelPart[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.delta : '')).join('')
}
