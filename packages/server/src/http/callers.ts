import type { Caller } from '../auth/auth.ts'
import { identifyRequest } from '../auth/identify-request.ts'
import { ApiError } from './api-error.ts'
import type { AppContext, AppOptions } from './app-context.ts'
import { createRateLimit } from './limits/rate-limit.ts'
import { refuseWhen } from './limits/refuse-when.ts'

/** Who sends a request, with the request rates of users and of strangers. */
export interface Callers {
  identify(c: AppContext): Caller | undefined
  /** Throws `signed_out` without a login: a stranger learns nothing, not even that a path exists. */
  require(c: AppContext): Caller
  /** Counts a request without a login. Throws `rate_limited`. */
  limitStranger(c: AppContext): void
}

export function createCallers({ services, limits }: Pick<AppOptions, 'services' | 'limits'>): Callers {
  const requests = createRateLimit(limits.requests)
  const strangers = createRateLimit(limits.strangers)

  function identify(c: AppContext): Caller | undefined {
    const headers = { cookie: c.req.header('cookie'), authorization: c.req.header('authorization') }
    return identifyRequest(services.auth, headers, services.port())
  }

  function limitStranger(c: AppContext): void {
    refuseWhen(strangers.take(c.get('address')))
  }

  return {
    identify,
    limitStranger,
    require(c) {
      const caller = identify(c)
      if (!caller) {
        limitStranger(c)
        throw new ApiError('signed_out', 'Log in first: open the link that was printed when Capstan started.')
      }
      refuseWhen(requests.take(caller.userId))
      return caller
    },
  }
}
