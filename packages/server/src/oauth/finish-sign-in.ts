import type { Integrations } from '@capstan/harness'
import type { Caller } from '../auth/auth.ts'
import { CALLBACK_PATH } from './callback-path.ts'
import { toResultPage, toReturnPage } from './pages.ts'

/** Longer than any service's answer. */
const MAX_QUERY_CHARS = 8_000

/**
 * A person comes back from a service. Only the browser and the user who began the sign-in can finish it, at exactly the
 * address that was given to the service. Whatever else is wrong, the page says the same.
 */
export async function finishSignIn(
  url: URL,
  from: { readonly caller: Caller | undefined; readonly origin: string; readonly integrations: Integrations },
): Promise<Response> {
  const { caller, origin, integrations } = from
  if (url.search.length > MAX_QUERY_CHARS) return toResultPage(false)
  // Without a cookie it may still be our user, who was sent here by another site: see decision 13.
  if (!caller) return url.pathname === CALLBACK_PATH ? toReturnPage(url.search) : toResultPage(false)
  const { userId, browserId } = caller
  const redirectUri = `${origin}${CALLBACK_PATH}`
  const answer = await integrations.connections.finish(url.searchParams, { userId, browserId, redirectUri })
  return toResultPage(answer.type === 'settled' && answer.connection.status === 'active')
}
