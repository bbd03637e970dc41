import type { Composio } from '@composio/core'
import type { Clock } from '@capstan/harness/seams'
import { pause } from '../pause.ts'
import { untilAborted } from '../until-aborted.ts'
import { readFailure } from './read-failure.ts'
import type { RequestFailure } from './to-outcome.ts'

const RETRY_DELAY_MS = 300

type ServiceClient = ReturnType<Composio['getClient']>

type ServiceRequest<Answer> = (
  client: ServiceClient,
  how: { readonly signal: AbortSignal },
) => PromiseLike<Answer>

export interface ServiceOptions {
  readonly apiKey: string
  readonly baseUrl: string | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** Ends every request in progress, and those to come. */
  readonly closing: AbortSignal
}

/** A request that failed. Carries facts only: the error of the client holds headers and bodies. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly failure: RequestFailure

  constructor(failure: RequestFailure) {
    const fact = failure.status ?? failure.code ?? (failure.timedOut ? 'no answer in time' : undefined)
    super(`Composio could not be asked${fact === undefined ? '' : ` (${fact})`}`)
    this.failure = failure
  }
}

/** Rejects with a `ServiceError`, or with the reason of the abort. */
export interface Service {
  /** For what changes nothing. Repeated once when the service fails. */
  query<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  /** For what changes something. Sent once, whatever happens. */
  mutate<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  sdk(): Promise<Composio>
}

/**
 * Wraps the client that Composio publishes. It sends no telemetry, logs nothing and follows no redirect, which would carry
 * the key to another host. Loaded on first use, because loading it is slow and most processes never need it.
 */
export function createService({ apiKey, baseUrl, timeoutMs, clock, closing }: ServiceOptions): Service {
  let loading: Promise<Composio> | undefined
  const sdk = () => (loading ??= load(apiKey, baseUrl))
  const stopOf = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, closing]) : closing)

  const mutate: Service['mutate'] = async (request, signal) => {
    const stop = stopOf(signal)
    stop.throwIfAborted()
    // The client's own retries wait as long as the service says, and cannot be stopped.
    const client = (await sdk()).getClient().withOptions({
      logLevel: 'off',
      timeout: timeoutMs,
      maxRetries: 0,
      fetchOptions: { redirect: 'error' },
    })
    const sent = Promise.resolve(request(client, { signal: stop })).catch((error: unknown) => {
      throw new ServiceError(readFailure(error, [apiKey]))
    })
    return untilAborted(sent, stop)
  }

  return {
    mutate,
    async query(request, signal) {
      try {
        return await mutate(request, signal)
      } catch (error) {
        if (!(error instanceof ServiceError) || !isWorthRetrying(error.failure)) throw error
        await pause(clock, RETRY_DELAY_MS, stopOf(signal))
        return mutate(request, signal)
      }
    },
    sdk,
  }
}

const isWorthRetrying = ({ status, timedOut }: RequestFailure): boolean =>
  timedOut !== true && (status === undefined || status >= 500)

async function load(apiKey: string, baseUrl: string | undefined): Promise<Composio> {
  const { Composio } = await import('@composio/core')
  return new Composio({
    apiKey,
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    allowTracking: false,
    disableVersionCheck: true,
  })
}
