import type { Usage } from '@capstan/protocol'
import type { Answer, Asker, Question } from '../turn/asker.ts'
import { ModelError } from '../turn/errors.ts'
import type { FinishReason } from '../turn/message/model-reply.ts'
import type { ModelClient, ModelPart } from './model-client.ts'

/**
 * Asks one question, without tools and without retries. The answer contains no reasoning. Rejects with `ModelError` for
 * every failure, also for an empty answer. On abort it rejects at once with the signal's reason, even if the model ignores
 * the signal. Counts no usage: the caller does.
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

/** A model as an `Asker`. */
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
