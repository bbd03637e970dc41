import type { Caller } from '../auth/auth.ts'
import { identifyRequest } from '../auth/identify-request.ts'
import { ApiError } from './api-error.ts'
import type { AppContext, AppOptions } from './app-context.ts'
import { refuseWhen } from './limits/refuse-when.ts'

/** Who sends a request, with the request rates of users and of strangers. */
export interface Callers {
  identify(c: AppContext): Caller | undefined
  /** Rejects with `signed_out` without a login: a stranger learns nothing, not even that a path exists. */
  require(c: AppContext): Promise<Caller>
  /** Counts a request without a login. Rejects with `rate_limited`. */
  limitStranger(c: AppContext): Promise<void>
}

export function createCallers({
  services,
  limits,
  assistant: { limiters },
}: Pick<AppOptions, 'services' | 'limits' | 'assistant'>): Callers {
  const requests = limiters.buckets('requests', limits.requests)
  const strangers = limiters.buckets('strangers', limits.strangers)

  function identify(c: AppContext): Caller | undefined {
    const headers = { cookie: c.req.header('cookie'), authorization: c.req.header('authorization') }
    return identifyRequest(services.auth, headers, services.port())
  }

  async function limitStranger(c: AppContext): Promise<void> {
    refuseWhen(await strangers.take(c.get('address')))
  }

  return {
    identify,
    limitStranger,
    async require(c) {
      let caller = identify(c)
      if (!caller) {
        await limitStranger(c)
        // The browser may have logged in on another node a moment ago.
        if (c.req.header('cookie') !== undefined) await services.auth.catchUp()
        caller = identify(c)
      }
      if (!caller) {
        throw new ApiError('signed_out', 'Log in first: open the link that was printed when Capstan started.')
      }
      refuseWhen(await requests.take(caller.userId))
      return caller
    },
  }
}
