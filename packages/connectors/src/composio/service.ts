import type { Composio } from '@composio/core'
import type { Clock } from '@capstan/harness'
import { pause } from '../pause.ts'
import { untilAborted } from '../until-aborted.ts'
import { readFailure } from './read-failure.ts'
import type { RequestFailure } from './to-outcome.ts'

const SECOND_TRY_MS = 300

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
  /** Ends every request that is under way, and those to come. */
  readonly closing: AbortSignal
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

/** Rejects with a `ServiceError`, or with the reason of the abort. */
export interface Service {
  /** For what changes nothing: when the service stumbles, it is asked once more. */
  ask<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  /** For what changes something: once, whatever happens. */
  tell<Answer>(request: ServiceRequest<Answer>, signal?: AbortSignal): Promise<Answer>
  sdk(): Promise<Composio>
}

/**
 * The service's own client. It reports to nobody, logs nothing and follows no redirect, which would take the key along.
 * Loaded at the first use: it takes its time, and most who start never need it.
 */
export function createService({ apiKey, baseUrl, timeoutMs, clock, closing }: ServiceOptions): Service {
  let loading: Promise<Composio> | undefined
  const sdk = () => (loading ??= load(apiKey, baseUrl))
  const stopOf = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([signal, closing]) : closing)

  const tell: Service['tell'] = async (request, signal) => {
    const stop = stopOf(signal)
    stop.throwIfAborted()
    // Its own repeated tries would wait as long as the service pleases, and could not be stopped.
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
    tell,
    async ask(request, signal) {
      try {
        return await tell(request, signal)
      } catch (error) {
        if (!(error instanceof ServiceError) || !hasStumbled(error.failure)) throw error
        await pause(clock, SECOND_TRY_MS, stopOf(signal))
        return tell(request, signal)
      }
    },
    sdk,
  }
}

const hasStumbled = ({ status, timedOut }: RequestFailure): boolean =>
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
