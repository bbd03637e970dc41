import type { Composio } from '@composio/core'
import { readFailure } from './read-failure.ts'
import type { RequestFailure } from './to-outcome.ts'

export type ServiceClient = ReturnType<Composio['getClient']>

export interface ServiceOptions {
  readonly apiKey: string
  readonly baseUrl?: string | undefined
  readonly timeoutMs: number
}

/** A request that failed. It carries facts alone: what the client threw holds headers and bodies. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly failure: RequestFailure

  constructor(failure: RequestFailure) {
    const fact = failure.status ?? failure.code ?? (failure.timedOut ? 'no answer in time' : undefined)
    super(`Composio could not be asked${fact === undefined ? '' : ` (${fact})`}`)
    this.failure = failure
  }
}

export interface Service {
  /** Asks; once more when the first time was no good. For what changes nothing. */
  ask<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  /** Asks exactly once. For what changes something. */
  tell<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  sdk(): Promise<Composio>
}

type ServiceRequest<Answer> = (
  client: ServiceClient,
  how: { readonly signal: AbortSignal; readonly maxRetries: number },
) => PromiseLike<Answer>

/**
 * The service's own client. It reports to nobody and logs nothing. Loaded at the first use: it takes its time, and most
 * who start never need it. Rejects with a `ServiceError`, or with the reason of the abort.
 */
export function createService(options: ServiceOptions, closing: AbortSignal): Service {
  let loading: Promise<Composio> | undefined
  const sdk = () => (loading ??= load(options))
  const send = async <Answer>(
    request: ServiceRequest<Answer>,
    maxRetries: number,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const stop = signal ? AbortSignal.any([signal, closing]) : closing
    stop.throwIfAborted()
    const client = (await sdk())
      .getClient()
      .withOptions({ logLevel: 'off', timeout: options.timeoutMs, maxRetries })
    return Promise.resolve(request(client, { signal: stop, maxRetries })).catch((error: unknown) => {
      stop.throwIfAborted()
      throw new ServiceError(readFailure(error, [options.apiKey]))
    })
  }
  return {
    ask: (request, signal) => send(request, 1, signal),
    tell: (request, signal) => send(request, 0, signal),
    sdk,
  }
}

async function load({ apiKey, baseUrl }: ServiceOptions): Promise<Composio> {
  const { Composio } = await import('@composio/core')
  return new Composio({
    apiKey,
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    allowTracking: false,
    disableVersionCheck: true,
  })
}
