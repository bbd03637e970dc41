import type { Integrations } from '@capstan/harness/integrations'
import type { Caller } from '../auth/auth.ts'
import { CALLBACK_PATH } from './callback-path.ts'
import { toResultPage, toReturnPage } from './pages.ts'

/** Longer than the answer of any service. */
const MAX_QUERY_CHARS = 8_000

/**
 * Finishes a sign-in after the service redirected the person back. Only the browser and the user who began it can finish
 * it, at exactly the redirect address. Every refusal shows the same page and calls `onRefusal` once.
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
  // A redirect from another site carries no strict cookie, so this may still be our user: see decision 13.
  if (!caller) return url.pathname === CALLBACK_PATH ? toReturnPage(url.search) : refuse()
  const { userId, browserId } = caller
  const redirectUri = `${origin}${CALLBACK_PATH}`
  const answer = await integrations.connections.finish(url.searchParams, { userId, browserId, redirectUri })
  return answer.type === 'refused' ? refuse() : toResultPage(answer.connection.status === 'active')
}
