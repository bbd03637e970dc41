import {
  APICallError,
  LoadAPIKeyError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../turn/errors.ts'
import { toModelError } from './to-model-error.ts'

const answered = (
  statusCode: number,
  body: string,
  responseHeaders: Record<string, string> = {},
): APICallError =>
  new APICallError({
    message: 'raw words of the provider',
    url: 'https://api.example.com',
    requestBodyValues: { messages: ['the whole conversation'] },
    statusCode,
    responseBody: body,
    responseHeaders,
  })

const factsOf = (error: unknown): ModelError['facts'] => toModelError(error, 'acme/m', 'request').facts

describe('toModelError', () => {
  it.each([
    ['{"error":{"code":"invalid_api_key","type":"invalid_request_error"}}', 'invalid_api_key'],
    ['{"error":{"code":null,"type":"invalid_request_error"}}', 'invalid_request_error'],
    ['{"error":{"code":401,"status":"UNAUTHENTICATED"}}', 'UNAUTHENTICATED'],
    ['{"type":"error","error":{"type":"authentication_error","message":"x"}}', 'authentication_error'],
    ['{"code":"unauthorized","message":"x"}', 'unauthorized'],
  ])('reads the code of %s', (body, errorCode) => {
    expect(factsOf(answered(401, body))).toEqual({
      kind: 'http',
      model: 'acme/m',
      httpStatus: 401,
      errorCode,
      retryable: false,
    })
  })

  it.each(['', '<html>', '{"error"', '[1]', '{"error":"plain words"}'])('accepts a body like %j', (body) => {
    expect(factsOf(answered(500, body))).toEqual({
      kind: 'http',
      model: 'acme/m',
      httpStatus: 500,
      retryable: true,
    })
  })

  it.each([
    [400, 'Your credit balance is too low to access the API.', 'insufficient_quota'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_length_exceeded'],
    [400, "This model's maximum context length is 128000 tokens.", 'context_length_exceeded'],
    [400, 'The input token count (1200000) exceeds the maximum number of tokens', 'context_length_exceeded'],
  ])('separates refusals that share a status: %i %s', (status, message, errorCode) => {
    const body = JSON.stringify({ error: { type: 'invalid_request_error', message } })
    expect(factsOf(answered(status, body))).toMatchObject({ httpStatus: status, errorCode, retryable: false })
  })

  it.each(['insufficient_quota', 'billing_error', 'billing_hard_limit_reached', 'insufficient_credits'])(
    'gives an empty account one class: %s',
    (type) => {
      const body = JSON.stringify({ error: { type, message: 'Pay first' } })
      expect(factsOf(answered(429, body))).toMatchObject({
        errorCode: 'insufficient_quota',
        retryable: false,
      })
    },
  )

  it.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [404, 'No endpoints found that support image input'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [400, 'This model does not support images'],
    [400, 'llama-3 is not a multimodal model'],
    [422, 'messages[0]: unknown variant `image_url`, expected `text`'],
    [400, 'Image input is not enabled for this model'],
  ])('knows that a model cannot see images: %s %s', (status, message) => {
    const facts = factsOf(
      answered(status, JSON.stringify({ error: { message, type: 'invalid_request_error' } })),
    )
    expect(facts).toMatchObject({ errorCode: 'images_unsupported', retryable: false })
  })

  it("calls a provider's filter a refusal", () => {
    const body = '{"error":{"code":"content_filter","message":"filtered"}}'
    expect(factsOf(answered(400, body))).toMatchObject({
      kind: 'refused',
      errorCode: 'content_filter',
      retryable: false,
    })
  })

  it('finds the delay that Google puts in the body', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
    const message = 'You exceeded your current quota, please check your plan and billing details.'
    const body = JSON.stringify({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details } })
    expect(factsOf(answered(429, body))).toMatchObject({
      errorCode: 'RESOURCE_EXHAUSTED',
      retryAfterMs: 34_500,
      retryable: true,
    })
  })

  it.each([
    [new LoadAPIKeyError({ message: 'no key' }), { kind: 'http', httpStatus: 401, retryable: false }],
    [
      new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }),
      { httpStatus: 404, retryable: false },
    ],
    [
      new UnsupportedFunctionalityError({ functionality: 'images' }),
      { kind: 'unsupported', retryable: false },
    ],
    [new Error('something odd inside the SDK'), { kind: 'malformed', retryable: true }],
    ['only words', { kind: 'malformed', retryable: true }],
    [
      { message: 'x', statusCode: 503 },
      { kind: 'http', httpStatus: 503, retryable: true },
    ],
    [
      { message: 'x', type: 'authentication_error' },
      { kind: 'http', httpStatus: 401, retryable: false },
    ],
    [
      { message: 'x', type: 'never_heard_of_it' },
      { kind: 'http', errorCode: 'never_heard_of_it', retryable: true },
    ],
  ])('recognises %s', (error, facts) => {
    expect(factsOf(error)).toMatchObject(facts)
  })

  it('reports a broken connection as a cut when the reply had begun', () => {
    const broken = new TypeError('terminated', {
      cause: Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }),
    })
    expect(toModelError(broken, 'm', 'request').facts.kind).toBe('network')
    expect(toModelError(broken, 'm', 'stream').facts.kind).toBe('cut')
  })

  it('does not contain the conversation', () => {
    const error = toModelError(answered(400, '{}'), 'acme/m', 'request')
    expect(error.cause).toBeUndefined()
    expect(error.message).toBe('acme/m: http 400: raw words of the provider')
  })

  it('returns a ModelError unchanged', () => {
    const error = new ModelError('x', { kind: 'cut', model: 'm', retryable: true })
    expect(toModelError(error, 'other', 'stream')).toBe(error)
  })
})
