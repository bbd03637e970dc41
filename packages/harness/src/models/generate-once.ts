import type { Usage } from '@capstan/protocol'
import type { Answer, Asker, Question } from '../turn/asker.ts'
import { ModelError } from '../turn/errors.ts'
import type { FinishReason } from '../turn/model-reply.ts'
import type { ModelClient, ModelPart } from './model-client.ts'

/**
 * One question, one answer, no tools and no second try. Thoughts are left out of the answer. Rejects with `ModelError`
 * for everything that goes wrong, a blank answer included, and with the signal's reason when it was stopped, at once,
 * also when the model does not listen. Counts nothing: the caller has the usage.
 */
export async function generateOnce(
  model: ModelClient,
  { system, prompt, signal, maxOutputTokens, temperature }: Question,
): Promise<Answer> {
  signal.throwIfAborted()
  const words: string[] = []
  const end: { reason?: FinishReason; usage?: Usage } = {}
  const take = (part: ModelPart): void => {
    if (part.type === 'text') words.push(part.delta)
    if (part.type === 'finish') Object.assign(end, { reason: part.reason, usage: part.usage })
  }
  const request = {
    system,
    messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: prompt }] }],
    tools: [],
    media: NO_MEDIA,
    maxOutputTokens,
    ...(temperature === undefined ? undefined : { temperature }),
  }
  await orStopped(model.stream(request, signal, take), signal)
  if (!end.usage) throw wentWrong(model, 'cut', 'the stream ended without its end marker')
  const text = words.join('').trim()
  if (text === '' && end.reason === 'content-filter')
    throw wentWrong(model, 'refused', 'the reply was withheld by a content filter')
  if (text === '') throw wentWrong(model, 'malformed', 'the model answered nothing')
  return { text, usage: end.usage }
}

/** A model as something that can be asked. */
export function createAsker(model: ModelClient): Asker {
  return {
    model: model.id,
    get contextWindow() {
      return model.abilities.contextWindow
    },
    ask: (question) => generateOnce(model, question),
  }
}

const NO_MEDIA = {
  get: () => undefined,
  put(): never {
    throw new Error('a question has no media')
  },
}

function orStopped(stream: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    const letGo = () => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort, { once: true })
    stream.then(resolve, reject).finally(letGo)
  })
}

function wentWrong(model: ModelClient, kind: 'cut' | 'refused' | 'malformed', message: string): ModelError {
  return new ModelError(message, { kind, model: model.id, retryable: kind !== 'refused' })
}
