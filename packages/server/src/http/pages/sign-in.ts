import type { Hono } from 'hono'
import { CALLBACK_PATH } from '../../oauth/callback-path.ts'
import { finishSignIn } from '../../oauth/finish-sign-in.ts'
import { PAGE_PARTS, RETURN_PATH } from '../../oauth/pages.ts'
import type { AppEnv, AppOptions } from '../app-context.ts'
import type { Callers } from '../callers.ts'

/** The addresses a service sends a person back to, and the script and style of those pages. */
export function addSignInPages(
  app: Hono<AppEnv>,
  { assistant, metrics, logger }: Pick<AppOptions, 'assistant' | 'metrics' | 'logger'>,
  callers: Callers,
): void {
  for (const path of [CALLBACK_PATH, RETURN_PATH])
    app.get(path, async (c) => {
      c.set('route', path)
      const caller = callers.identify(c)
      if (!caller) await callers.limitStranger(c)
      const onRefusal = (): void => {
        metrics.countRefusal('sign_in')
        const [requestId, userId] = [c.get('requestId'), caller?.userId]
        logger.warn({ requestId, userId, route: path }, 'a sign-in was refused')
      }
      const { integrations } = assistant
      return finishSignIn(new URL(c.req.url), { caller, origin: c.get('origin'), integrations, onRefusal })
    })
  for (const [path, [mediaType, text]] of Object.entries(PAGE_PARTS))
    app.get(path, (c) => {
      c.set('route', path)
      return c.body(text, 200, { 'content-type': mediaType })
    })
}
