import type { Integrations } from '@capstan/harness'
import type { Caller } from '../auth/auth.ts'
import { CALLBACK_PATH } from './callback-path.ts'
import { toResultPage, toReturnPage } from './pages.ts'

/** Longer than any service's answer. */
const MAX_QUERY_CHARS = 8_000

/**
 * A person comes back from a service. Only the browser and the user who began the sign-in can finish it, at exactly the
 * address that was given to the service. Whatever else is wrong, the page says the same, and `onRefusal` hears of it once.
 */
export async function finishSignIn(
  url: URL,
  from: {
    readonly caller: Caller | undefined
    readonly origin: string
    readonly integrations: Integrations
    readonly onRefusal: () => void
  },
): Promise<Response> {
  const { caller, origin, integrations, onRefusal } = from
  const refuse = (): Response => {
    onRefusal()
    return toResultPage(false)
  }
  if (url.search.length > MAX_QUERY_CHARS) return refuse()
  // Without a cookie it may still be our user, who was sent here by another site: see decision 13.
  if (!caller) return url.pathname === CALLBACK_PATH ? toReturnPage(url.search) : refuse()
  const { userId, browserId } = caller
  const redirectUri = `${origin}${CALLBACK_PATH}`
  const answer = await integrations.connections.finish(url.searchParams, { userId, browserId, redirectUri })
  return answer.type === 'refused' ? refuse() : toResultPage(answer.connection.status === 'active')
}
