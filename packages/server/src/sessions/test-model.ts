import type { ModelClient } from '@capstan/harness'
import type { NetworkFault } from '@capstan/harness/connectors'
import { networkFaultOf } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import { ConfigurationError, ModelError } from '@capstan/harness'
import { generateOnce } from '@capstan/harness/models'
import { classifyOutcome, scrubSecrets } from '@capstan/harness/stages'
import type { Failure, FailureDetail, ModelTest } from '@capstan/protocol'

/** Sends a short request to a model. Never throws: the answer says what went wrong. */
export async function testModel(
  name: string,
  make: () => ModelClient,
  clock: Clock,
  patienceMs = 30_000,
): Promise<ModelTest> {
  const begun = clock.monotonic()
  const durationMs = () => Math.round(clock.monotonic() - begun)
  try {
    const model = make()
    await generateOnce(model, {
      system: 'This is a test of the connection.',
      prompt: 'Answer with the word ready.',
      signal: AbortSignal.timeout(patienceMs),
      maxOutputTokens: 512,
    })
    return { ok: true, model: model.id, durationMs: durationMs() }
  } catch (error) {
    return { ok: false, model: name, durationMs: durationMs(), failure: toModelFailure(error, name) }
  }
}

/** A model has no account to reconnect. */
const KEY_WORDS: Words = {
  cause: 'The provider does not accept the key of this model.',
  next: 'Check its key in the settings.',
}

/** What went wrong with a model, for people. */
export function toModelFailure(error: unknown, name: string): Failure {
  const failure = classify(error)
  const kind = whatHappened(error, name)
  return kind === undefined ? failure : { ...failure, ...WORDS[kind], detail: { kind } }
}

type ModelDetail = Extract<FailureDetail['kind'], `model-${string}`>
type Words = Pick<Failure, 'cause' | 'next'>

/** For programs. A screen has its own words for each. */
const WORDS: Readonly<Record<ModelDetail, Words>> = {
  'model-address': {
    cause: 'The address names no model.',
    next: 'Write the model behind a #: http://127.0.0.1:4000/v1#llama.',
  },
  'model-name': {
    cause: 'This is not the name of a model.',
    next: 'Write provider/model, or the address of a server.',
  },
  'model-key': { cause: 'The key of this model is missing.', next: 'Enter its key in the settings.' },
  'model-silent': {
    cause: 'Nothing answers at the address of this model.',
    next: 'Check that the server is running, and the host and the port.',
  },
  'model-host': {
    cause: 'The name in the address of this model is not known on the network.',
    next: 'Check how the address is spelt.',
  },
  'model-insecure': {
    cause: 'There is no secure connection to this model: its certificate or its TLS is at fault.',
    next: 'Check the certificate of the server, or whether the address should begin with http://.',
  },
  'model-page': {
    cause: 'A web page answers at this address, and no model.',
    next: 'Check the address: it often ends in /v1.',
  },
}

const FAULTS: Readonly<Record<NetworkFault, ModelDetail | undefined>> = {
  silent: 'model-silent',
  'unknown-host': 'model-host',
  insecure: 'model-insecure',
  slow: undefined, // the class says it
}

/** What the class does not say about a model that cannot be used. */
function whatHappened(error: unknown, name: string): ModelDetail | undefined {
  if (error instanceof ConfigurationError) {
    if (error.field.endsWith('_KEY')) return 'model-key'
    if (error.field !== 'model') return undefined
    return /^https?:/.test(name) ? 'model-address' : 'model-name'
  }
  if (!(error instanceof ModelError)) return undefined
  if (error.facts.kind === 'network') return FAULTS[networkFaultOf(error) ?? 'silent']
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
