import type { ModelClient } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import { ConfigurationError, ModelError } from '@capstan/harness'
import { generateOnce } from '@capstan/harness/models'
import { classifyOutcome, scrubSecrets } from '@capstan/harness/stages'
import type { Failure, FailureDetail, ModelTest } from '@capstan/protocol'

const PATIENCE_MS = 30_000

/** Sends a short request to a model. Never throws: the answer says what went wrong. */
export async function testModel(name: string, make: () => ModelClient, clock: Clock): Promise<ModelTest> {
  const begun = clock.monotonic()
  const durationMs = () => Math.round(clock.monotonic() - begun)
  try {
    const model = make()
    await generateOnce(model, {
      system: 'This is a test of the connection.',
      prompt: 'Answer with the word ready.',
      signal: AbortSignal.timeout(PATIENCE_MS),
      maxOutputTokens: 512,
    })
    return { ok: true, model: model.id, durationMs: durationMs() }
  } catch (error) {
    return { ok: false, model: name, durationMs: durationMs(), failure: toFailure(error, name) }
  }
}

/** A model has no account to reconnect. */
const KEY_WORDS = {
  cause: 'The key of this model is missing, or the provider does not accept it.',
  next: 'Enter its key in the settings.',
}

function toFailure(error: unknown, name: string): Failure {
  const failure = classify(error)
  const kind = whatHappened(error, name)
  return kind === undefined ? failure : { ...failure, detail: { kind } }
}

type ModelDetail = Extract<FailureDetail['kind'], `model-${string}`>

/** What the class does not say about a model that cannot be used. */
function whatHappened(error: unknown, name: string): ModelDetail | undefined {
  if (error instanceof ConfigurationError) {
    if (error.field.endsWith('_KEY')) return 'model-key'
    if (error.field !== 'model') return undefined
    return /^https?:/.test(name) ? 'model-address' : 'model-name'
  }
  if (!(error instanceof ModelError)) return undefined
  if (error.facts.kind === 'network') return 'model-silent'
  return error.message.endsWith('answered with a web page') ? 'model-page' : undefined
}

function classify(error: unknown): Failure {
  if (error instanceof ConfigurationError) {
    if (error.field.endsWith('_KEY'))
      return { ...classifyOutcome({ errorCode: 'bad_credentials' }), ...KEY_WORDS }
    return classifyOutcome({ text: error.message, errorCode: 'invalid_arguments' })
  }
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  const text = scrubSecrets(error instanceof Error ? error.message : 'The model failed and gave no reason.')
  if (!(error instanceof ModelError))
    return classifyOutcome({ text, ...(timedOut ? { timedOut } : undefined) })
  const { kind, httpStatus, retryAfterMs } = error.facts
  if (httpStatus === 401) return { ...classifyOutcome({ httpStatus }), ...KEY_WORDS }
  const errorCode = kind === 'network' ? 'model_unreachable' : error.facts.errorCode
  return classifyOutcome({
    text,
    ...(kind === 'idle-timeout' || kind === 'total-timeout' ? { timedOut: true } : undefined),
    ...(httpStatus === undefined ? undefined : { httpStatus }),
    ...(errorCode === undefined ? undefined : { errorCode }),
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  })
}
